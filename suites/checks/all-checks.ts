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

/** Every check there is, in the order in which reports show them: by area, as the register has them. */
export const allChecks: readonly Check[] = [
  ...chatChecks,
  ...msgChecks,
  ...toolChecks,
  ...respChecks,
  ...sseChecks,
  ...routeChecks,
  ...catChecks,
  ...cacheChecks,
  ...imgChecks,
  ...imgmChecks,
  ...jrnyChecks,
  ...taskChecks,
  ...vidChecks,
  ...audChecks,
  ...songChecks,
  ...stateChecks,
  ...hookChecks,
  ...billChecks,
  ...compaChecks,
  ...compbChecks,
  ...facesChecks,
  ...epChecks,
  ...authChecks,
  ...errChecks,
  ...limChecks,
  ...verChecks,
  ...faultChecks,
];
