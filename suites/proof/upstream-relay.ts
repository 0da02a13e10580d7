import type { Mutation } from './mutation.ts';
import { startProxy } from './proxy.ts';

/** What sits between the gateways of a stack and its simulators. */
export interface UpstreamRelay {
  readonly url: string;
  /** From now on the upstream of this lane has the mutation; null takes it away. */
  arm(lane: string, mutation: Mutation | null): void;
  close(): Promise<void>;
}

/** A proxy in front of the simulators' provider side. The first segment of a path is the lane, and the path is kept whole. */
export async function startUpstreamRelay(providerUrl: string): Promise<UpstreamRelay> {
  const armed = new Map<string, Mutation>();
  const proxy = await startProxy((path) => ({
    origin: providerUrl,
    path,
    mutation: armed.get(path.split('/')[1] ?? '') ?? {},
  }));
  return {
    url: proxy.url,
    arm: (lane, mutation) => {
      if (mutation === null) armed.delete(lane);
      else armed.set(lane, mutation);
    },
    close: proxy.close,
  };
}
