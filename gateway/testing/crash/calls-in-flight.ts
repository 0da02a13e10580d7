import type { Numbered } from './numbered.ts';

interface Call extends Numbered {
  /** The process that makes the call. */
  readonly gateway: number;
}

/** The calls in flight at the upstreams, and where a user exceeded the cap. */
export interface CallsInFlight {
  /** Returns a function for the end of the call; it may run more than once. */
  begin(call: Call): () => void;
  /** Ends the calls of a killed process, whenever their connections close. */
  forget(gateway: number): void;
  /** Ignores the calls that a process has now; calls that it begins later count. */
  disown(gateway: number): void;
  /** For each user, the calls in flight at the peak. */
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
      // Calls sent before a kill may arrive after it.
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
