import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';
import { sendPlain } from '../http/send.ts';
import type { Database } from '../store/database.ts';

/** Why a process should get no new requests. */
export type NotReady = 'draining' | 'database';

/** Whether a process should get requests, as load balancers ask. */
export interface Readiness {
  /** From now on it is leaving. */
  leave(): void;
  /** Empty where it is ready. */
  reasons(): Promise<readonly NotReady[]>;
}

/** A database that has not answered within this time is not there, ms. */
const answersWithinMs = 1_000;
/** Anyone may ask, so that the database is asked no more often than this, ms. */
const askedEachMs = 500;

/** @param ask resolves when the database has answered, and rejects when it has not */
export function createReadiness(ask: () => Promise<unknown>, clock: Clock): Readiness {
  let isLeaving = false;
  let last = { atMs: Number.NEGATIVE_INFINITY, answers: Promise.resolve(true) };
  const databaseAnswers = (): Promise<boolean> => {
    const now = clock.now();
    if (now - last.atMs >= askedEachMs) last = { atMs: now, answers: answersInTime(ask, clock) };
    return last.answers;
  };
  return {
    leave: () => {
      isLeaving = true;
    },
    reasons: async () => [
      ...(isLeaving ? (['draining'] as const) : []),
      ...((await databaseAnswers()) ? [] : (['database'] as const)),
    ],
  };
}

/** Asks a database for nothing but an answer. */
export function pingOf(db: Kysely<Database>): () => Promise<unknown> {
  return () => sql`select 1`.execute(db);
}

async function answersInTime(ask: () => Promise<unknown>, clock: Clock): Promise<boolean> {
  const over = new AbortController();
  const late = clock.sleep(answersWithinMs, over.signal).then(
    () => false,
    () => false,
  );
  const asked = ask().then(
    () => true,
    () => false,
  );
  const answers = await Promise.race([asked, late]);
  over.abort();
  return answers;
}

/**
 * GET /healthz: the process answers. GET /readyz: it should get requests, or 503 with the reasons. Both are for load balancers
 * and orchestrators, need no key and tell nothing else.
 */
export function healthRoutes(readiness: Pick<Readiness, 'reasons'>): Route[] {
  const answer = (exchange: Exchange, status: number, body: object): Promise<void> =>
    sendPlain(exchange, {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify(body),
    });
  return [
    { path: '/healthz', endpoints: { GET: (exchange) => answer(exchange, 200, { status: 'ok' }) } },
    {
      path: '/readyz',
      endpoints: {
        GET: async (exchange) => {
          const reasons = await readiness.reasons();
          const isReady = reasons.length === 0;
          await answer(
            exchange,
            isReady ? 200 : 503,
            isReady ? { status: 'ready' } : { status: 'not_ready', reasons },
          );
        },
      },
    },
  ];
}
