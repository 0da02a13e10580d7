import type { Profile } from '../profile/profile.ts';

/** The circuit breaker's window when the profile declares none, ms (reading B-108). */
const usualWindowMs = 30_000;

/**
 * How long failures of a model count, ms, if its calls are served by then. A gateway may remember for longer which of several
 * channels is the healthiest.
 */
export function forgottenMs(profile: Profile, model: string): number {
  const {
    breaker,
    routes = [],
    media_routes: mediaRoutes = [],
    broken_listeners: listeners = {},
  } = profile.upstream ?? {};
  const remembered = [
    ...routes.flatMap((route) => [route.model, route.fallback]),
    ...mediaRoutes.map((route) => route.model),
    ...Object.values(listeners).flatMap(({ alone, spared }) => [alone, spared]),
  ];
  return remembered.includes(model) ? longestOutMs(profile) : (breaker?.window_ms ?? usualWindowMs);
}

/** After this time no upstream failure may affect a deployment any more, ms: as declared, or by reading B-108. */
export function longestOutMs({ upstream }: Profile): number {
  const {
    cool_down_ms: coolDowns = [90_000],
    window_ms: window = usualWindowMs,
    account_out_ms: account = 0,
  } = upstream?.breaker ?? {};
  return Math.max(...coolDowns, account) + window;
}
