import type { Pico } from '../money/pico.ts';
import type { UsageRecord } from './usage-record.ts';

/** What a request may come to cost, set aside before it is sent. */
export interface Hold {
  readonly requestId: string;
  readonly accountId: string;
  readonly amount: Pico;
  /** Unix milliseconds: decides the month of the quota. */
  readonly atMs: number;
}

/** Whether a request was let in; if not, what was used up (reading B-45). Nothing was written then. */
export const admissions = ['held', 'no_credits', 'no_quota'] as const;
export type Admission = (typeof admissions)[number];

/** Credits that an account gets. */
export interface Grant {
  readonly accountId: string;
  /** Of the account's own choice: a grant whose id it has already is not made again. */
  readonly id: string;
  /** Above zero. */
  readonly amount: Pico;
  readonly note: string | null;
  readonly atMs: number;
}

/** What sets right what was charged wrongly. Its id is unique over all accounts. */
export interface Correction extends Grant {
  /** What the account gains, below zero what it loses. */
  readonly amount: Pico;
  /** The request that was charged wrongly, if it was one. */
  readonly requestId: string | null;
}

/**
 * What became of a grant or a correction: `known` is on record already with the same account and amount, `different`
 * with another; nothing was written then.
 */
export const allPostings = ['posted', 'known', 'different'] as const;
export type Posting = (typeof allPostings)[number];

/**
 * The money of every account, durable before anything is acknowledged. A request is held once and ends once: settled
 * with what it used, or voided.
 */
export interface Ledger {
  /**
   * Lets a request in and holds its amount, in one step. A prepaid account needs a posted balance above zero, one with a
   * quota needs some of it left; the amount itself never refuses.
   */
  hold(hold: Hold): Promise<Admission>;
  /**
   * Ends a held request: its usage record, what it cost, and the tokens that count against the month in which it ended.
   * A request that has a record already changes nothing. What was given back meanwhile, because the process that held it
   * seemed to be gone, is charged all the same. Rejects with UsageNotKept.
   */
  settle(record: UsageRecord): Promise<void>;
  /** Gives back what a request held that was never sent; it leaves no usage record. Never rejects: it is tried again. */
  release(requestId: string, atMs: number): Promise<void>;
  /** Leaves the hold of a request to the task that it has become: ended with that, by whatever process. */
  entrust(requestId: string): void;
  grant(grant: Grant): Promise<Posting>;
  correct(correction: Correction): Promise<Posting>;
  /** Resolves when everything that was asked for is written or rejected. */
  drain(): Promise<void>;
}
