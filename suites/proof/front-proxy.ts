import type { Mutation } from '../mutation/mutation.ts';
import type { EventRelay } from './event-relay.ts';
import { type Route, startProxy } from './proxy.ts';

export interface FrontProxy {
  /** The base URL under which the gateway behind has the mutation of that id. */
  baseUrlOf(id: string): string;
  /** The same for the receiver that the deployment ships for its callers. */
  kitUrlOf(id: string): string;
  close(): Promise<void>;
}

/** What stands behind a front proxy beside the gateway. */
export interface Behind {
  /** Where events go that pass a mutation; without it they all go their own way. */
  readonly relay?: EventRelay;
  /** URL of the receiver that the deployment ships. */
  readonly kitUrl?: string;
}

/** A proxy in front of a gateway: under `/m/<id>` the gateway is the one with the mutation of that id. */
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
    // What follows the prefix is kept as written, an empty path excepted.
    return { ...route, path: rest?.startsWith('/') ? rest : `/${rest ?? ''}` };
  });
  return {
    baseUrlOf: (id) => `${proxy.url}/m/${id}`,
    kitUrlOf: (id) => `${proxy.url}/k/${id}`,
    close: proxy.close,
  };
}

/** The way to the gateway. One whose events are changed names the relay in place of the receiver. */
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
