import type { Exchange } from '../serving/exchange.ts';

/** What identifies an answer; ids are seeded by it and never by time. */
export interface Identity {
  readonly seed: number;
  readonly lane: string;
  readonly channel: string;
  /** The number of the request in its lane. */
  readonly n: number;
  readonly nowMs: number;
}

export function identityOf(exchange: Exchange, channel: string, seed: number): Identity {
  return { seed, lane: exchange.lane.name, channel, n: exchange.n, nowMs: exchange.now() };
}
