import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { routesOf } from '../failures/routed-call.ts';
import type { Protocol } from './protocol.ts';
import { mayServe, servesRoute } from './said.ts';

/** The routes of a kind whose model a protocol serves. */
export async function routesServed(
  parts: CheckParts,
  protocol: Protocol,
  kind: RouteProfile['kind'],
): Promise<RouteProfile[]> {
  const served: RouteProfile[] = [];
  for (const route of routesOf(parts.target, kind))
    if (mayServe(protocol, route.model) && (await servesRoute(parts, { protocol, model: route.model })))
      served.push(route);
  return served;
}

/** The most calls until each of the wanted channels of a route has been asked. */
const mostCalls = 8;

/**
 * Makes calls until each of the wanted channels has been asked, and notes those that were not.
 * @param call makes the nth call, and returns the channels that it reached
 */
export async function untilAsked(
  { judge }: Pick<CheckParts, 'judge'>,
  wanted: readonly string[],
  call: (nth: number) => Promise<readonly string[]>,
): Promise<void> {
  const left = new Set(wanted);
  for (let nth = 0; nth < mostCalls && left.size > 0; nth += 1)
    for (const asked of await call(nth)) left.delete(asked);
  for (const name of left) judge.note(`${name} was not asked in ${mostCalls} calls`);
}
