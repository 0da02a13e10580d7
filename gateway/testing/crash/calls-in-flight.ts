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
  /** The calls that each user had when there were most of them. */
  readonly most: ReadonlyMap<string, readonly string[]>;
}

export function watchCalls(): CallsInFlight {
  const calls = new Map<Call, number>();
  const gone = new Set<number>();
  const most = new Map<string, readonly string[]>();
  const disown = (gateway: number): void => {
    for (const call of calls.keys()) if (call.gateway === gateway) calls.delete(call);
  };
  return {
    most,
    begin: (call) => {
      // What a process sent before it was killed may be read after that.
      if (gone.has(call.gateway)) return () => {};
      const nowMs = performance.now();
      calls.set(call, nowMs);
      const own = [...calls].filter(([{ user }]) => user === call.user);
      if (own.length > (most.get(call.user)?.length ?? 0))
        most.set(
          call.user,
          own.map(
            ([{ n, gateway }, sinceMs]) => `${n} of process ${gateway} for ${Math.round(nowMs - sinceMs)} ms`,
          ),
        );
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
