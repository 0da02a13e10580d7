import type { Mutant } from '../edits/mutant.ts';
import { audMutants } from './aud/mutants.ts';
import { authMutants } from './auth/mutants.ts';
import { billMutants } from './bill/mutants.ts';
import { cacheMutants } from './cache/mutants.ts';
import { catMutants } from './cat/mutants.ts';
import { chatMutants } from './chat/mutants.ts';
import { compaMutants } from './compa/mutants.ts';
import { compbMutants } from './compb/mutants.ts';
import { epMutants } from './ep/mutants.ts';
import { errMutants } from './err/mutants.ts';
import { everyMutants } from './every/mutants.ts';
import { facesMutants } from './faces/mutants.ts';
import { faultsMutants } from './faults/mutants.ts';
import { hookMutants } from './hook/mutants.ts';
import { imgMutants } from './img/mutants.ts';
import { imgmMutants } from './imgm/mutants.ts';
import { jrnyMutants } from './jrny/mutants.ts';
import { limMutants } from './lim/mutants.ts';
import { msgMutants } from './msg/mutants.ts';
import { respMutants } from './resp/mutants.ts';
import { routeMutants } from './route/mutants.ts';
import { songMutants } from './song/mutants.ts';
import { sseMutants } from './sse/mutants.ts';
import { stateMutants } from './state/mutants.ts';
import { taskMutants } from './task/mutants.ts';
import { toolMutants } from './tool/mutants.ts';
import { verMutants } from './ver/mutants.ts';
import { vidMutants } from './vid/mutants.ts';

/** The mutants of each area, in the order of the areas of checks. */
export const mutantsByArea: Readonly<Record<string, readonly Mutant[]>> = {
  chat: chatMutants,
  msg: msgMutants,
  tool: toolMutants,
  resp: respMutants,
  sse: sseMutants,
  route: routeMutants,
  cat: catMutants,
  cache: cacheMutants,
  img: imgMutants,
  imgm: imgmMutants,
  jrny: jrnyMutants,
  task: taskMutants,
  vid: vidMutants,
  aud: audMutants,
  song: songMutants,
  state: stateMutants,
  hook: hookMutants,
  bill: billMutants,
  compa: compaMutants,
  compb: compbMutants,
  faces: facesMutants,
  ep: epMutants,
  auth: authMutants,
  err: errMutants,
  lim: limMutants,
  ver: verMutants,
  faults: faultsMutants,
  every: everyMutants,
};

/** Every mutant there is. */
export const allMutants: readonly Mutant[] = Object.values(mutantsByArea).flat();
