import type { EventRelay } from './event-relay.ts';
import type { Mutation } from './mutation.ts';
import { type Route, startProxy } from './proxy.ts';

export interface FrontProxy {
  /** The base URL of the gateway with this mutation. */
  baseUrlOf(id: string): string;
  /** The URL of the deployment's own receiver with this mutation. */
  kitUrlOf(id: string): string;
  close(): Promise<void>;
}

/** The servers behind a front proxy besides the gateway. */
export interface Behind {
  /** The relay for events of mutations; without it, events go directly to their receivers. */
  readonly relay?: EventRelay;
  /** URL of the receiver that the deployment provides. */
  readonly kitUrl?: string;
}

/** Starts a proxy in front of a gateway. Paths below `/m/<id>` pass through the mutation with this id. */
export async function startFrontProxy(
  gatewayUrl: string,
  mutations: ReadonlyMap<string, Mutation>,
  behind: Behind = {},
): Promise<FrontProxy> {
  const routes = new Map(
    [...mutations].map(([id, mutation]) => [id, routeTo(gatewayUrl, mutation, behind.relay)]),
  );
  const kit = behind.kitUrl === undefined ? null : new URL(behind.kitUrl);
  const proxy = await startProxy((path) => {
    const [, which, id, rest] = /^\/([mk])\/([^/?]+)(.*)$/s.exec(path) ?? [];
    const route = routes.get(id ?? '');
    if (route === undefined) return null;
    if (which === 'k') return kit === null ? null : routeToKit(kit, rest ?? '', route.mutation);
    // The rest of the path is kept as written; an empty path becomes `/`.
    return { ...route, path: rest?.startsWith('/') ? rest : `/${rest ?? ''}` };
  });
  return {
    baseUrlOf: (id) => `${proxy.url}/m/${id}`,
    kitUrlOf: (id) => `${proxy.url}/k/${id}`,
    close: proxy.close,
  };
}

/** The route to the gateway. If its events are changed, the request names the relay instead of the receiver. */
function routeTo(origin: string, mutation: Mutation, relay: EventRelay | undefined): Omit<Route, 'path'> {
  if (relay === undefined || (mutation.deliver === undefined && mutation.announces === undefined))
    return { origin, mutation };
  const eventRoute = relay.routeOf(mutation);
  return {
    origin,
    mutation,
    onWay: (request) => eventRoute.upstreamProxy(request),
    ...(mutation.announces === undefined
      ? {}
      : { onAnswer: (request, answer) => eventRoute.announce(request, answer) }),
  };
}

function routeToKit(kit: URL, rest: string, { kit: change }: Mutation): Route {
  const path = rest === '' ? kit.pathname + kit.search : rest;
  return { origin: kit.origin, path, mutation: change === undefined ? {} : { answer: change } };
}
