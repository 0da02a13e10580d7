import { beforeDeadline } from '../before-deadline.ts';
import type { Clock } from '../clock.ts';
import type { Route } from '../http/route.ts';
import { sendUncachedJson } from '../http/send-json.ts';
import { NoWrites } from '../store/write-check.ts';

/** Why a process should get no new requests. `writes`: the database answers, but rejects writes. */
export type NotReady = 'draining' | 'database' | 'writes';

/** Reports to load balancers whether this process should get requests. */
export interface Readiness {
  /** Marks the process as leaving. Resolves when load balancers have had time to notice. */
  leave(): Promise<void>;
  isLeaving(): boolean;
  /** Empty when the process is ready. */
  reasons(): Promise<readonly NotReady[]>;
}

/** A database without an answer within this time counts as unreachable, ms. */
const answersWithinMs = 1_000;
/** Minimum time between two database queries, ms, because any caller may send requests to /readyz. */
const askedEachMs = 500;

/**
 * @param ask resolves when the database answers and accepts writes; rejects with NoWrites if it is read-only
 * @param leaveMs how long load balancers may take to notice that the process is leaving
 */
export function createReadiness(ask: () => Promise<unknown>, clock: Clock, leaveMs: number): Readiness {
  let isLeaving = false;
  let last: { readonly atMs: number; readonly failing: Promise<NotReady[]> } | null = null;
  const failing = (): Promise<NotReady[]> => {
    const now = clock.monotonic();
    if (last === null || now - last.atMs >= askedEachMs) last = { atMs: now, failing: failingOf(ask, clock) };
    return last.failing;
  };
  return {
    leave: async () => {
      isLeaving = true;
      if (leaveMs > 0) await clock.sleep(leaveMs);
    },
    isLeaving: () => isLeaving,
    reasons: async () => [...(isLeaving ? (['draining'] as const) : []), ...(await failing())],
  };
}

async function failingOf(ask: () => Promise<unknown>, clock: Clock): Promise<NotReady[]> {
  const asked = ask().then(
    (): NotReady[] => [],
    (error: unknown): NotReady[] => [error instanceof NoWrites ? 'writes' : 'database'],
  );
  return (await beforeDeadline(clock, answersWithinMs, () => asked)) ?? ['database'];
}

/**
 * GET /healthz: the process answers. GET /readyz: it should get requests; if not, 503 with the reasons. Both are for load
 * balancers and orchestrators, need no key and reveal nothing else.
 */
export function healthRoutes(readiness: Pick<Readiness, 'reasons'>): Route[] {
  return [
    { path: '/healthz', endpoints: { GET: (exchange) => sendUncachedJson(exchange, { status: 'ok' }) } },
    {
      path: '/readyz',
      endpoints: {
        GET: async (exchange) => {
          const reasons = await readiness.reasons();
          if (reasons.length === 0) await sendUncachedJson(exchange, { status: 'ready' });
          else await sendUncachedJson(exchange, { status: 'not_ready', reasons }, 503);
        },
      },
    },
  ];
}
