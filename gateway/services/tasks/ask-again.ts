/** The maximum wait that an upstream can request before the next poll or start. */
export const maxPollMs = 60_000;
export const maxStartMs = 300_000;

/** The wait before the next poll that an upstream asks for, up to the maximum; null if it asks for none. */
export function pollWaitMs(askedMs: number | null): number | null {
  return bounded(askedMs, maxPollMs);
}

/** The wait before the next start that an upstream asks for. No caller waits for it (reading B-110). */
export function startWaitMs(askedMs: number | null): number | null {
  return bounded(askedMs, maxStartMs);
}

function bounded(askedMs: number | null, maxMs: number): number | null {
  return askedMs === null || askedMs <= 0 ? null : Math.min(askedMs, maxMs);
}
