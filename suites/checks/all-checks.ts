import type { Check } from '../engine/check.ts';
import { audChecks } from './aud/aud-checks.ts';
import { authChecks } from './auth/auth-checks.ts';
import { billChecks } from './bill/bill-checks.ts';
import { cacheChecks } from './cache/cache-checks.ts';
import { catChecks } from './cat/cat-checks.ts';
import { chatChecks } from './chat/chat-checks.ts';
import { compaChecks } from './compa/compa-checks.ts';
import { compbChecks } from './compb/compb-checks.ts';
import { epChecks } from './ep/ep-checks.ts';
import { errChecks } from './err/err-checks.ts';
import { facesChecks } from './faces/faces-checks.ts';
import { faultChecks } from './faults/fault-checks.ts';
import { hookChecks } from './hook/hook-checks.ts';
import { imgChecks } from './img/img-checks.ts';
import { imgmChecks } from './imgm/imgm-checks.ts';
import { jrnyChecks } from './jrny/jrny-checks.ts';
import { limChecks } from './lim/lim-checks.ts';
import { msgChecks } from './msg/msg-checks.ts';
import { respChecks } from './resp/resp-checks.ts';
import { routeChecks } from './route/route-checks.ts';
import { songChecks } from './song/song-checks.ts';
import { sseChecks } from './sse/sse-checks.ts';
import { stateChecks } from './state/state-checks.ts';
import { taskChecks } from './task/task-checks.ts';
import { toolChecks } from './tool/tool-checks.ts';
import { verChecks } from './ver/ver-checks.ts';
import { vidChecks } from './vid/vid-checks.ts';

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
