import type { CoreRoute } from '../../oracle/core-routes.ts';

/** The requirement that a key failure proves: its own, or on read routes the one that guards them. */
export function ruleOn(route: CoreRoute, requirement: string): string {
  return route.method === 'GET' ? 'AUTH-019' : requirement;
}
