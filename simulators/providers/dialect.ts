import type { AnswerKind, CallKind, DialectName, Frame } from '../answers/native-answer.ts';
import type { WholeAnswer } from '../answers/whole-answer.ts';
import type { Clock } from '../clock.ts';
import type { FaultEntry, Reply } from '../control/protocol.ts';
import type { AlteredAnswer } from '../fault-contract/fault.ts';
import type { Pace } from '../latency/pace.ts';
import type { AppliedJobFault } from '../state/jobs/job.ts';
import type { Tenant } from '../state/tenant.ts';

/** A request as the dialects see it: read to its end, its address without tenant and channel. */
export interface NativeRequest {
  readonly method: string;
  /** From the version segment on, without the query: `/v1/chat/completions`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name; of repeated ones the first. */
  readonly headers: ReadonlyMap<string, string>;
  /** The target and the headers as they were sent. */
  readonly target: string;
  readonly rawHeaders: readonly (readonly [string, string])[];
  readonly channel: string;
  readonly body: Buffer;
  /** Larger than anything accepted; `body` is then not whole. */
  readonly isTooLarge: boolean;
}

/** Where a request came in: its tenant, its number there, and the time. */
export interface RequestOrigin {
  readonly tenant: Tenant;
  /** The number of the request in its tenant. */
  readonly n: number;
  now(): number;
}

/** What a dialect may use beside the request. */
export interface DialectContext {
  /** The seed of the process. */
  readonly seed: number;
  /** For what an upstream does on its own, when nobody asks. */
  readonly clock: Clock;
}

/** One native protocol: everything of it lives in its own folder. */
export interface Dialect {
  readonly name: DialectName;
  /** Whether the path is one of its own, whatever the method. */
  serves(path: string): boolean;
  /** What the request is, before anything scripted. Writes nothing: the origin tells who asks. */
  open(origin: RequestOrigin, request: NativeRequest, context: DialectContext): Opened;
}

/** A request whose address has been read. */
export type Opened = SettledRequest | FaultedRequest | ModelCall;

/** Refused by its address, or a question that no script answers: counts, lists of models. */
export interface SettledRequest {
  readonly is: 'settled';
  /** Headers of every answer of this upstream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: WholeAnswer;
}

/** A question about a job or for a file whose answer a fault of the job has changed. */
export interface FaultedRequest {
  readonly is: 'faulted';
  readonly fault: FaultEntry;
  readonly answer: AlteredAnswer;
}

/** A call of a model: what scripts and faults are about. */
export interface ModelCall {
  readonly is: 'call';
  /** As far as the request tells before it is checked. */
  readonly call: CallKind;
  /** Of a submit: which one under its key or reference it is, from 1; 1 when left out. */
  readonly submits?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The dialect's own error body for a status that a script gives no body to. */
  ownError(status: number): WholeAnswer;
  /**
   * Makes the native checks, and the answer for a request that passes them. Called at most once. What befalls the job
   * that it begins, or the files that it links to, is remembered with them.
   */
  answer(reply: Reply, pace: Pace, appliedFault: AppliedJobFault | null): Judged;
}

export type Judged =
  | { readonly ok: false; readonly refusal: WholeAnswer }
  | {
      readonly ok: true;
      readonly call: AnswerKind;
      /** 200 when left out. */
      readonly status?: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly frames: readonly Frame[];
    };

/** A plain answer of one body. */
export function plainAnswer(body: Buffer, contentType: string, pace: Pace, status = 200): Judged {
  const frames = [{ label: 'body', bytes: body, dueMs: pace.dueMs(0) }];
  return { ok: true, call: 'plain', status, headers: { 'content-type': contentType }, frames };
}
