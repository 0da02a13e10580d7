import type { Check } from '../engine/check.ts';

/**
 * How the checks of each area are loaded, in the order in which reports show them: as the register has the areas. The
 * ids of an area begin with its name, so that a run loads no more than it needs.
 */
export const checkLoaders: Readonly<Record<string, () => Promise<readonly Check[]>>> = {
  chat: async () => (await import('./chat/checks.ts')).chatChecks,
  msg: async () => (await import('./msg/checks.ts')).msgChecks,
  tool: async () => (await import('./tool/checks.ts')).toolChecks,
  resp: async () => (await import('./resp/checks.ts')).respChecks,
  sse: async () => (await import('./sse/checks.ts')).sseChecks,
  route: async () => (await import('./route/checks.ts')).routeChecks,
  cat: async () => (await import('./cat/checks.ts')).catChecks,
  cache: async () => (await import('./cache/checks.ts')).cacheChecks,
  img: async () => (await import('./img/checks.ts')).imgChecks,
  imgm: async () => (await import('./imgm/checks.ts')).imgmChecks,
  jrny: async () => (await import('./jrny/checks.ts')).jrnyChecks,
  task: async () => (await import('./task/checks.ts')).taskChecks,
  vid: async () => (await import('./vid/checks.ts')).vidChecks,
  aud: async () => (await import('./aud/checks.ts')).audChecks,
  song: async () => (await import('./song/checks.ts')).songChecks,
  state: async () => (await import('./state/checks.ts')).stateChecks,
  hook: async () => (await import('./hook/checks.ts')).hookChecks,
  bill: async () => (await import('./bill/checks.ts')).billChecks,
  compa: async () => (await import('./compa/checks.ts')).compaChecks,
  compb: async () => (await import('./compb/checks.ts')).compbChecks,
  faces: async () => (await import('./faces/checks.ts')).facesChecks,
  ep: async () => (await import('./ep/checks.ts')).epChecks,
  auth: async () => (await import('./auth/checks.ts')).authChecks,
  err: async () => (await import('./err/checks.ts')).errChecks,
  lim: async () => (await import('./lim/checks.ts')).limChecks,
  ver: async () => (await import('./ver/checks.ts')).verChecks,
  faults: async () => (await import('./faults/checks.ts')).faultChecks,
  every: async () => (await import('./every/checks.ts')).everyChecks,
};

/** The name of the area that a check belongs to. */
export function areaOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}
