import type { Mutation } from './mutation.ts';
import { startProxy } from './proxy.ts';

export interface FrontProxy {
  /** The base URL under which the gateway behind has the mutation of that id. */
  baseUrlOf(id: string): string;
  close(): Promise<void>;
}

/** A proxy in front of a gateway: under `/m/<id>` the gateway is the one with the mutation of that id. */
export async function startFrontProxy(
  gatewayUrl: string,
  mutations: ReadonlyMap<string, Mutation>,
): Promise<FrontProxy> {
  const proxy = await startProxy((path) => {
    const [, id, rest] = /^\/m\/([^/?]+)(.*)$/s.exec(path) ?? [];
    const mutation = mutations.get(id ?? '');
    if (mutation === undefined) return null;
    // What follows the prefix is kept as written, an empty path excepted.
    return { origin: gatewayUrl, path: rest?.startsWith('/') ? rest : `/${rest ?? ''}`, mutation };
  });
  return { baseUrlOf: (id) => `${proxy.url}/m/${id}`, close: proxy.close };
}
