import type { Mutation, ProxyRequest } from './mutation.ts';
import { type Route, startProxy } from './proxy.ts';

/** The relay between the gateways of a stack and its simulators. */
export interface UpstreamRelay {
  readonly url: string;
  /** Sets the mutation of this tenant's upstream from now on; null removes it. */
  arm(tenant: string, mutation: Mutation | null): void;
  close(): Promise<void>;
}

/** The first segment of paths for job callbacks; the tenant and the gateway's own URL follow. */
const reportsAt = '/~reports/';

/**
 * A proxy in front of the simulators' provider side. The first segment of a path is the tenant, and the path is
 * kept.
 */
export async function startUpstreamRelay(providerUrl: string): Promise<UpstreamRelay> {
  const armed = new Map<string, Mutation>();
  const proxy = await startProxy((path) => {
    if (path.startsWith(reportsAt)) return routeOfReport(path, armed);
    const tenant = path.split('/')[1] ?? '';
    const mutation = armed.get(tenant) ?? {};
    const onWay = (request: ProxyRequest): ProxyRequest =>
      upstreamProxy(request, `${proxy.url}${reportsAt}${tenant}/`);
    return {
      origin: providerUrl,
      path,
      mutation,
      ...(mutation.report === undefined ? {} : { onWay }),
    };
  });
  return {
    url: proxy.url,
    arm: (tenant, mutation) => {
      if (mutation === null) armed.delete(tenant);
      else armed.set(tenant, mutation);
    },
    close: proxy.close,
  };
}

/** Replaces the gateway's callback URL in a submitted job, so that callbacks pass through this relay. */
function upstreamProxy(request: ProxyRequest, here: string): ProxyRequest {
  const text = request.body.toString('latin1');
  const changed = text.replace(
    /("callback_url"\s*:\s*")([^"]*)/,
    (_, before: string, url: string) => `${before}${here}${encodeURIComponent(url)}`,
  );
  return changed === text ? request : { ...request, body: Buffer.from(changed, 'latin1') };
}

function routeOfReport(path: string, armed: ReadonlyMap<string, Mutation>): Route | null {
  const [tenant = '', named = ''] = path.slice(reportsAt.length).split('/');
  const url = URL.parse(decodeURIComponent(named));
  if (url === null) return null;
  return { origin: url.origin, path: url.pathname + url.search, mutation: armed.get(tenant)?.report ?? {} };
}
