import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Admission, Hold, Ledger } from './ledger.ts';
import type { UsageRecord } from './usage-record.ts';

/** What admission by the credits of accounts depends on. */
export interface Allowing {
  readonly ledger: Pick<Ledger, 'hold' | 'settle' | 'release' | 'entrust'>;
  readonly clock: Clock;
}

/** The hold of an admitted request. */
export interface Allowance {
  /** Ends the request with its usage record, durably. Rejects if the record cannot be stored. */
  settle(record: UsageRecord): Promise<void>;
  /** Hands the hold over to the submitted task. The hold ends with the task, in any process. */
  entrust(): void;
  /**
   * Releases the hold if there still is one. Does nothing after `settle`, even a failed one, or after `entrust`.
   */
  release(): Promise<void> | void;
}

/** Admits a request if the credits and the quota of its account allow it, and holds its maximum cost (B-45). */
export function holdAllowance(
  { ledger, clock }: Allowing,
  { requestId, accountId, amount, overshoots }: Omit<Hold, 'atMs'>,
): Promise<Allowance> | Allowance {
  const allow = (admission: Admission): Allowance => {
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
      release: () => {
        if (isOver) return;
        isOver = true;
        return ledger.release(requestId, clock.now());
      },
    };
  };
  const holding = ledger.hold({ requestId, accountId, amount, overshoots, atMs: clock.now() });
  return holding instanceof Promise ? holding.then(allow) : allow(holding);
}

const reasons = {
  no_credits: 'The credits of this account are used up.',
  no_cover: 'The credits of this account do not cover this request beside those that have not ended.',
  no_quota: 'The token quota of this account is used up for this month.',
} as const;
