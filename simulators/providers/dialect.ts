import type {
  AnswerKind,
  CallKind,
  DialectName,
  DialectVersion,
  RenderedFrame,
} from '../answers/native-answer.ts';
import type { WholeAnswer } from '../answers/whole-answer.ts';
import type { Clock } from '../clock.ts';
import type { FaultEntry } from '../control/journal.ts';
import type { AlteredAnswer } from '../fault-contract/fault.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Pace } from '../latency/pace.ts';
import type { RequestHead } from '../requests/request-facts.ts';
import type { AppliedJobFault } from '../state/jobs/job.ts';
import type { Tenant } from '../state/tenant.ts';
import type { ComposedReply } from './composition/compose.ts';

/** A request as the dialects see it: read completely, its path without tenant and channel. */
export interface NativeRequest {
  readonly method: string;
  /** From the version segment on, without the query: `/v1/chat/completions`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name; of repeated headers the first value. */
  readonly headers: Pick<ReadonlyMap<string, string>, 'get'>;
  /** The head as it was sent. */
  readonly head: RequestHead;
  readonly channel: string;
  readonly body: Buffer;
  /** The body exceeds the size limit; `body` is then incomplete. */
  readonly isTooLarge: boolean;
}

/** The origin of a request: its tenant, its number there, and the time. */
export interface RequestOrigin {
  readonly tenant: Tenant;
  /** The number of the request in its tenant. */
  readonly n: number;
  now(): number;
}

/** The data that a dialect may use besides the request. */
export interface DialectContext {
  /** The seed of the process. */
  readonly seed: number;
  /** For actions without a request, such as sending callbacks. */
  readonly clock: Clock;
  /** The only version that upstreams simulate; null for both. A reply may override it. */
  readonly version: DialectVersion | null;
  /** The real provider that answers unscripted calls; null for none. */
  readonly provider: Upstream | null;
}

/** One native protocol. Its own folder contains everything about it. */
export interface Dialect {
  readonly name: DialectName;
  /** Whether the path belongs to this dialect, for any method. */
  serves(request: Pick<NativeRequest, 'path' | 'headers'>): boolean;
  /** Classifies the request before any script applies. It writes nothing; `origin` identifies the request. */
  open(origin: RequestOrigin, request: NativeRequest, context: DialectContext): Opened;
}

/** A classified request. */
export type Opened = SettledRequest | FaultedRequest | ModelCall;

/** A request without a scripted answer: an error for its path, a token count, or a model list. */
export interface SettledRequest {
  readonly is: 'settled';
  /** Headers of every answer of this upstream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: WholeAnswer;
}

/** A poll or a download whose answer a job fault changed. */
export interface FaultedRequest {
  readonly is: 'faulted';
  readonly fault: FaultEntry;
  readonly answer: AlteredAnswer;
}

/** A call of a model. Scripts and faults apply to it. */
export interface ModelCall {
  readonly is: 'call';
  /** The kind of call, as far as it is known before the native checks. */
  readonly call: CallKind;
  /** The dialect version that the request names; undefined if requests of the dialect name none. */
  readonly version?: DialectVersion;
  /** For a submit: its number among the submits of its key or reference, from 1. Default 1. */
  readonly submits?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The dialect's own error body for a scripted status without a body. */
  ownError(status: number, version: DialectVersion): WholeAnswer;
  /**
   * Runs the native checks, and answers a request that passes them. Called once for a submit; a chat may call it again with a
   * `fit` for a fault. A job fault is stored with the new job or the linked files.
   */
  answer(reply: ComposedReply, pace: Pace, appliedFault: AppliedJobFault | null): Judged;
}

export type Judged =
  | { readonly ok: false; readonly refusal: WholeAnswer }
  | {
      readonly ok: true;
      readonly call: AnswerKind;
      /** Default 200. */
      readonly status?: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly frames: readonly RenderedFrame[];
    };

/** A plain answer with a single body. */
export function plainAnswer(body: Buffer | string, contentType: string, pace: Pace, status = 200): Judged {
  const [label, dueMs] = ['body', pace.dueMs(0)];
  const frames = [typeof body === 'string' ? { label, text: body, dueMs } : { label, bytes: body, dueMs }];
  return { ok: true, call: 'plain', status, headers: { 'content-type': contentType }, frames };
}
