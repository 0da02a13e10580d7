import type { Caller } from '../access/caller.ts';
import type { UsageRecord } from '../billing/usage-record.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Pico } from '../money/pico.ts';
import type { Gateway } from './gateway.ts';

/** What a request that was let in holds of its account until it ends. */
export interface Allowance {
  /** Ends the request with its usage record, durably. Rejects when the record cannot be kept. */
  settle(record: UsageRecord): Promise<void>;
  /** Leaves what is held to the task that was handed in: whichever process ends that one ends this, too. */
  entrust(): void;
  /** Gives back what is still held: nothing after `settle`, whatever became of that, and nothing after `entrust`. */
  release(): Promise<void>;
}

/** Lets a request in whose account has credits and quota left, and holds what it may come to cost (B-45). */
export async function holdAllowance(
  { requestId }: Exchange,
  gateway: Gateway,
  caller: Caller,
  amount: Pico,
): Promise<Allowance> {
  const { ledger, clock } = gateway;
  const admission = await ledger.hold({
    requestId,
    accountId: caller.accountId,
    amount,
    atMs: clock.now(),
  });
  if (admission !== 'held') throw new GatewayError('quota_exceeded', { message: REASONS[admission] });
  let isOver = false;
  return {
    settle: (record) => {
      isOver = true;
      return ledger.settle(record);
    },
    entrust: () => {
      isOver = true;
      ledger.entrust(requestId);
    },
    release: async () => {
      if (isOver) return;
      isOver = true;
      await ledger.release(requestId, clock.now());
    },
  };
}

const REASONS = {
  no_credits: 'The credits of this account are used up.',
  no_quota: 'The token quota of this account is used up for this month.',
} as const;
