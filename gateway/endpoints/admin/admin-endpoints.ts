import type { Endpoint, Route } from '../../http/route.ts';
import { sendUncachedJson } from '../../http/send-json.ts';
import type { AdminRoute } from './admin-route.ts';
import type { Administration } from './administration.ts';

/** The admin routes as endpoints: one for each path, with all its methods. */
export function adminEndpoints(
  routes: readonly AdminRoute[],
  admin: Administration,
  guard: Endpoint,
): readonly Route[] {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  return [...byPath].map(([path, ofPath]) => ({
    path,
    guard,
    endpoints: Object.fromEntries(ofPath.map((route) => [route.method, endpointOf(route, admin)])),
  }));
}

function endpointOf(route: AdminRoute, admin: Administration): Endpoint {
  return async (exchange, ids) => {
    const view = await route.run(exchange, admin, ids);
    await sendUncachedJson(exchange, view, route.status);
  };
}
