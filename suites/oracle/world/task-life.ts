import type { TaskStatus } from '../media/task-answer.ts';

/** How a job ends. */
export type LifeEnd = 'SUCCESS' | 'FAILED';

/** When a task that never ends expires, and how long an ended one is kept; ms. */
export interface LifeTimes {
  readonly deadlineMs: number;
  readonly retentionMs: number;
  /** Time tolerance, ms. */
  readonly marginMs: number;
}

/** The allowed results of a read: one of these statuses, or an unknown task. */
export interface MayShow {
  readonly statuses: readonly TaskStatus[];
  readonly unknown: boolean;
  /** The rule that any other result violates. */
  readonly requirement: string;
}

/** One task from its submission on ("States and transitions", readings B-66 and B-71). */
export class TaskLife {
  readonly #times: LifeTimes;
  readonly #beganMs: number;
  #end: { readonly status: LifeEnd; readonly atMs: number } | null = null;

  constructor(times: LifeTimes, beganMs: number) {
    this.#times = times;
    this.#beganMs = beganMs;
  }

  /** Ends with its job, unless it has ended before. */
  ends(status: LifeEnd, atMs: number): void {
    if (this.mayEnd(atMs)) this.#end = { status, atMs };
  }

  /** Whether its job can certainly still end it. */
  mayEnd(atMs: number): boolean {
    return this.#end === null && atMs < this.#expiresMs - this.#times.marginMs;
  }

  /** Whether it has certainly ended in success and is still kept. */
  hasSucceeded(atMs: number): boolean {
    const { retentionMs, marginMs } = this.#times;
    return this.#end?.status === 'SUCCESS' && atMs < this.#end.atMs + retentionMs - marginMs;
  }

  /** The certain end of the task; null where it is running, or may be. */
  endedAs(atMs: number): TaskStatus | null {
    const isLate = atMs > this.#expiresMs + this.#times.marginMs;
    return this.#end?.status ?? (isLate ? 'EXPIRED' : null);
  }

  get hasFailed(): boolean {
    return this.#end?.status === 'FAILED';
  }

  /** @param isOwn whether the reader is of the account */
  mayShow(isOwn: boolean, atMs: number): MayShow {
    const { retentionMs, marginMs } = this.#times;
    if (!isOwn) return { statuses: [], unknown: true, requirement: 'STATE-011' };
    const endMs = this.#end?.atMs ?? this.#expiresMs;
    if (atMs > endMs + retentionMs + marginMs)
      return { statuses: [], unknown: true, requirement: 'STATE-013' };
    const mayBeForgotten = atMs > endMs + retentionMs - marginMs;
    if (this.#end !== null)
      return {
        statuses: [this.#end.status],
        unknown: mayBeForgotten,
        requirement: this.#end.status === 'SUCCESS' ? 'STATE-005' : 'STATE-006',
      };
    const expired = { statuses: ['EXPIRED'], unknown: true, requirement: 'STATE-007' } as const;
    if (atMs > this.#expiresMs + marginMs) return expired;
    const open = ['QUEUED', 'RUNNING'] as const;
    if (atMs < this.#expiresMs - marginMs)
      return { statuses: open, unknown: false, requirement: 'STATE-008' };
    return { statuses: [...open, 'EXPIRED'], unknown: true, requirement: 'STATE-007' };
  }

  get #expiresMs(): number {
    return this.#beganMs + this.#times.deadlineMs;
  }
}
