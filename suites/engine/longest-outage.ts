import type { Profile } from '../profile/profile.ts';

/** After this time no upstream failure may affect a deployment any more, ms: as declared, or by reading B-108. */
export function longestOutMs({ upstream }: Profile): number {
  const {
    cool_down_ms: coolDowns = [90_000],
    window_ms: window = 30_000,
    account_out_ms: account = 0,
  } = upstream?.breaker ?? {};
  return Math.max(...coolDowns, account) + window;
}
