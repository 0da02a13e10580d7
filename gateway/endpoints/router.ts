import { isAdminPath } from '../admin/guard.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Endpoint, PathIds, Route } from '../http/route.ts';
import { type Serving, serve } from './serve.ts';

/** Dispatches each exchange by its path and method. Both are compared as they were sent. */
export function createRouter(
  routes: readonly Route[],
  guardAdmin: Endpoint,
  serving: Serving,
): (exchange: Exchange) => void {
  const find = pathFinder(routes);
  const unknown: Route = { path: 'none', endpoints: {} };
  const unknownAdmin: Route = { path: '/api/admin', guard: guardAdmin, endpoints: {} };
  return (exchange) => {
    const { path } = exchange;
    const { route, ids } = find(path) ?? { route: isAdminPath(path) ? unknownAdmin : unknown, ids: {} };
    void serve(exchange, serving, route.path, () =>
      route.guard === undefined
        ? endpointOf(route, exchange)(exchange, ids)
        : behind(route.guard, route, exchange, ids),
    );
  };
}

async function behind(guard: Endpoint, route: Route, exchange: Exchange, ids: PathIds): Promise<void> {
  await guard(exchange, ids);
  await endpointOf(route, exchange)(exchange, ids);
}

function endpointOf({ endpoints }: Route, { incoming: { method = '' } }: Exchange): Endpoint {
  const endpoint = Object.hasOwn(endpoints, method) ? endpoints[method] : undefined;
  if (endpoint !== undefined) return endpoint;
  const allow = Object.keys(endpoints);
  throw allow.length === 0
    ? new GatewayError('not_found')
    : new GatewayError('method_not_allowed', { allow });
}

interface Found {
  readonly route: Route;
  readonly ids: PathIds;
}

/** Finds the route of a path: constant paths by their text, others by the first pattern that matches. */
function pathFinder(routes: readonly Route[]): (path: string) => Found | null {
  const plain = new Map<string, Found>();
  const patterns: { readonly route: Route; readonly pattern: RegExp }[] = [];
  for (const route of routes) {
    const pattern = route.pattern ?? patternOf(route.path);
    if (pattern === null) plain.set(route.path, { route, ids: {} });
    else patterns.push({ route, pattern });
  }
  return (path) => {
    const found = plain.get(path);
    if (found !== undefined) return found;
    for (const { route, pattern } of patterns) {
      const match = pattern.exec(path);
      if (match !== null) return { route, ids: match.groups ?? {} };
    }
    return null;
  };
}

/** The pattern of a path with parameters; null for a constant path. */
function patternOf(path: string): RegExp | null {
  if (!path.includes('/:')) return null;
  const literal = path.replaceAll('.', '\\.');
  return new RegExp(`^${literal.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
