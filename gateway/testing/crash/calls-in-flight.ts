import type { Numbered } from './numbered.ts';

interface Call extends Numbered {
  /** The process that makes it. */
  readonly gateway: number;
}

/** The calls in flight at the upstreams, and where a user had more of them than his cap. */
export interface CallsInFlight {
  /** Returns what to do at the end of the call, once or more. */
  begin(call: Call): () => void;
  /** The calls of a process that was killed are over, whenever their connections are seen to end. */
  forget(gateway: number): void;
  /** Those that a process has now are not its own any more; those that it begins later count. */
  disown(gateway: number): void;
  /** How many calls each user had at most at once. */
  readonly most: ReadonlyMap<string, number>;
}

export function watchCalls(): CallsInFlight {
  const calls = new Set<Call>();
  const gone = new Set<number>();
  const most = new Map<string, number>();
  const disown = (gateway: number): void => {
    for (const call of calls) if (call.gateway === gateway) calls.delete(call);
  };
  return {
    most,
    begin: (call) => {
      // What a process sent before it was killed may be read after that.
      if (gone.has(call.gateway)) return () => {};
      calls.add(call);
      const own = [...calls].filter(({ user }) => user === call.user).length;
      most.set(call.user, Math.max(most.get(call.user) ?? 0, own));
      return () => {
        calls.delete(call);
      };
    },
    forget: (gateway) => {
      gone.add(gateway);
      disown(gateway);
    },
    disown,
  };
}
