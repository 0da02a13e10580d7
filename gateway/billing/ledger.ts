import type { Pico } from '../money/pico.ts';
import type { UsageRecord } from './usage-record.ts';

/** The maximum cost of a request, set aside before the request is sent. */
export interface Hold {
  readonly requestId: string;
  readonly accountId: string;
  readonly amount: Pico;
  /** Whether credit above the bound is enough, as for a chat call, or the whole amount must be covered. */
  readonly overshoots: boolean;
  /** Unix milliseconds. Decides the month of the quota. */
  readonly atMs: number;
  /**
   * The request that submitted the task for which this is held beside the first hold. It is the task's, in whatever process, and
   * is written only while the task has not been settled. The quota does not matter: the task was admitted.
   */
  readonly ofTask?: string;
}

/** Whether a request was admitted; if not, which limit was reached (reading B-45). A refusal writes nothing. */
export const admissions = ['held', 'no_credits', 'no_quota', 'no_cover'] as const;
export type Admission = (typeof admissions)[number];

/** Credits for an account. */
export interface Grant {
  readonly accountId: string;
  /** Chosen by the account. A grant whose id the account already has is not made again. */
  readonly id: string;
  /** Above zero. */
  readonly amount: Pico;
  readonly note: string | null;
  readonly atMs: number;
}

/** Corrects a wrong charge. Its id is unique over all accounts. */
export interface Correction extends Grant {
  /** What the account gains; negative if it loses. */
  readonly amount: Pico;
  /** The request that was charged wrongly, if the correction is about a request. */
  readonly requestId: string | null;
}

/**
 * The result of a grant or a correction. `known`: it exists with the same account and amount. `different`: its id
 * exists with other values. Neither writes anything.
 */
export const allPostings = ['posted', 'known', 'different'] as const;
export type Posting = (typeof allPostings)[number];

/**
 * The money of every account; every change is durable before it is acknowledged. A request is held once and ends
 * once: settled with its usage, or voided.
 */
export interface Ledger {
  /**
   * Admits a request and holds its amount, in one step. A prepaid account needs a posted balance above its bound: zero, or
   * minus its overdraft. What other holds leave above the bound must cover the whole amount, or be above zero if the request
   * may overshoot. An account with a quota needs some of it left. A request that already has a hold is admitted again.
   */
  hold(hold: Hold): Promise<Admission> | Admission;
  /**
   * Ends a held request with its usage record, its charge and its tokens, which count in the month of its end. A second
   * record of a request changes nothing. If the hold was released because its process seemed gone, the request is still
   * charged. Rejects with UsageNotKept.
   */
  settle(record: UsageRecord): Promise<void>;
  /** Releases the hold of a request that was never sent, without a usage record. Never rejects: a failure is retried. */
  release(requestId: string, atMs: number): Promise<void>;
  /** Releases a further hold of a task. Rejects where it may still be there: the step of the task is then repeated. */
  releaseOfTask(requestId: string, atMs: number): Promise<void>;
  /** Hands the hold of a request over to its task. The hold ends with the task, in whatever process. */
  entrust(requestId: string): void;
  grant(grant: Grant): Promise<Posting>;
  correct(correction: Correction): Promise<Posting>;
  /** Resolves when every write in the queue is done or rejected. */
  drain(): Promise<void>;
}
