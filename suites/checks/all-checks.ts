import type { Check } from '../engine/check.ts';
import { audChecks } from './aud/checks.ts';
import { authChecks } from './auth/checks.ts';
import { billChecks } from './bill/checks.ts';
import { cacheChecks } from './cache/checks.ts';
import { catChecks } from './cat/checks.ts';
import { chatChecks } from './chat/checks.ts';
import { compaChecks } from './compa/checks.ts';
import { compbChecks } from './compb/checks.ts';
import { epChecks } from './ep/checks.ts';
import { errChecks } from './err/checks.ts';
import { facesChecks } from './faces/checks.ts';
import { faultChecks } from './faults/checks.ts';
import { hookChecks } from './hook/checks.ts';
import { imgChecks } from './img/checks.ts';
import { imgmChecks } from './imgm/checks.ts';
import { jrnyChecks } from './jrny/checks.ts';
import { limChecks } from './lim/checks.ts';
import { msgChecks } from './msg/checks.ts';
import { respChecks } from './resp/checks.ts';
import { routeChecks } from './route/checks.ts';
import { songChecks } from './song/checks.ts';
import { sseChecks } from './sse/checks.ts';
import { stateChecks } from './state/checks.ts';
import { taskChecks } from './task/checks.ts';
import { toolChecks } from './tool/checks.ts';
import { verChecks } from './ver/checks.ts';
import { vidChecks } from './vid/checks.ts';

/** The checks of each area, in the order in which reports show them: as the register has the areas. */
export const checksByArea: Readonly<Record<string, readonly Check[]>> = {
  chat: chatChecks,
  msg: msgChecks,
  tool: toolChecks,
  resp: respChecks,
  sse: sseChecks,
  route: routeChecks,
  cat: catChecks,
  cache: cacheChecks,
  img: imgChecks,
  imgm: imgmChecks,
  jrny: jrnyChecks,
  task: taskChecks,
  vid: vidChecks,
  aud: audChecks,
  song: songChecks,
  state: stateChecks,
  hook: hookChecks,
  bill: billChecks,
  compa: compaChecks,
  compb: compbChecks,
  faces: facesChecks,
  ep: epChecks,
  auth: authChecks,
  err: errChecks,
  lim: limChecks,
  ver: verChecks,
  faults: faultChecks,
};

/** Every check there is. */
export const allChecks: readonly Check[] = Object.values(checksByArea).flat();
