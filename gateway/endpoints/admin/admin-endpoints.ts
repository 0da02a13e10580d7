import { GatewayError } from '../../errors/gateway-error.ts';
import { sendJson } from '../../http/send-json.ts';
import type { Endpoint } from '../serve.ts';
import type { AdminRoute } from './admin-route.ts';
import { guardAdmin } from './guard-admin.ts';

/** An endpoint for every path of the administrators' routes, whatever the method. */
export function adminEndpoints(routes: readonly AdminRoute[]): ReadonlyMap<string, Endpoint> {
  const paths = new Set(routes.map(({ path }) => path));
  return new Map(
    [...paths].map(
      (path) =>
        [
          path,
          endpointOf(
            path,
            routes.filter((route) => route.path === path),
          ),
        ] as const,
    ),
  );
}

/** For the paths under /api/admin that do not exist; only an administrator is told so. */
export const unknownAdminPath: Endpoint = (exchange, gateway) => {
  guardAdmin(exchange, gateway);
  throw new GatewayError('not_found');
};

function endpointOf(path: string, routes: readonly AdminRoute[]): Endpoint {
  const allow = routes.map(({ method }) => method);
  return async (exchange, gateway) => {
    guardAdmin(exchange, gateway);
    const route = routes.find(({ method }) => method === exchange.incoming.method);
    if (route === undefined) throw new GatewayError('method_not_allowed', { allow });
    const view = await route.run(exchange, gateway, idsIn(path, exchange.path));
    await sendJson(exchange, view, gateway.clock, route.status);
  };
}

/** What stands in the path where the route has a name. */
function idsIn(pattern: string, path: string): Record<string, string> {
  const sent = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), sent[at] ?? '']] : [])),
  );
}
