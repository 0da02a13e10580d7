import type { CoreRoute } from '../../oracle/core-routes.ts';

/** The rule that a key failure proves on a route: its own, or on reading routes that they are guarded alike. */
export function ruleOn(route: CoreRoute, requirement: string): string {
  return route.method === 'GET' ? 'AUTH-019' : requirement;
}
