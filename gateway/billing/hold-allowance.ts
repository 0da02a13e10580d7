import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Hold, Ledger } from './ledger.ts';
import type { UsageRecord } from './usage-record.ts';

/** What lets requests in by the credits of their accounts. */
export interface Allowing {
  readonly ledger: Pick<Ledger, 'hold' | 'settle' | 'release' | 'entrust'>;
  readonly clock: Clock;
}

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
  { ledger, clock }: Allowing,
  { requestId, accountId, amount }: Omit<Hold, 'atMs'>,
): Promise<Allowance> {
  const admission = await ledger.hold({ requestId, accountId, amount, atMs: clock.now() });
  if (admission !== 'held') throw new GatewayError('quota_exceeded', { message: reasons[admission] });
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

const reasons = {
  no_credits: 'The credits of this account are used up.',
  no_quota: 'The token quota of this account is used up for this month.',
} as const;
