import type { Callback } from '../answers/callback.ts';
import type { CutPoint } from '../answers/cut-point.ts';
import type { JobOutput, JobView } from '../answers/job-view.ts';
import type { CallKind, DialectName, DialectVersion, NativeAnswer } from '../answers/native-answer.ts';
import type { ConnectionEnd, Step } from '../answers/wire-program.ts';
import type { ScriptedJob } from '../control/job-shapes.ts';
import type { Random } from '../random.ts';

/** What a fault may depend on. The same context gives the same fault, byte for byte. */
export interface FaultContext {
  readonly dialect: DialectName;
  readonly call: CallKind;
  /** The dialect version that the upstream uses for this request. */
  readonly version: DialectVersion;
  /** The requested form; default: the first in the catalogue. */
  readonly form: string | null;
  /** After how many content deltas it acts, if that applies; null for the fault's own default. */
  readonly after: number | null;
  /** How long it waits, ms, if that applies: between bytes, before the end, until a retry; null for the fault's own default. */
  readonly waitMs: number | null;
  /** The part that was added to the answer, so that the fault can change it. */
  readonly fitted?: 'usage' | 'text' | 'tool_calls';
  /** Seeded by (seed, scenario, tenant, route, nth request of the tenant) only. */
  readonly random: Random;
  /** Counts the requests of the tenant and route, from 1. */
  readonly nth: number;
  /** The version of HTTP of the request. */
  readonly http: 1 | 2;
  /** How many requests the connection carried before this one. */
  readonly earlier: number;
  /** When the reply began, ms of the simulators' clock: for dates in answers. */
  readonly nowMs: number;
  /** The body of the request, for faults whose answer depends on it. */
  readonly request: Buffer;
  /** The `host` header and the target of the request, as they were sent. */
  readonly host: string;
  readonly target: string;
  /** The upstream's common headers. An answer without them comes from an intermediary. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * For submits: counts those of the channel with the same Idempotency-Key or reference, from 1; without one,
   * 1.
   */
  readonly submits: number;
}

/** One observation (a poll, a read or a callback) of a submitted job, on which a fault may depend. */
export interface JobObservation {
  readonly dialect: DialectName;
  readonly form: string | null;
  /** As in the context of the submit. */
  readonly waitMs: number | null;
  /** Seeded by (seed, tenant, channel, job, nth) only. */
  readonly random: Random;
  /** The upstream's common headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
  /** The number of the poll, by id or by reference, or of the read of this file. From 1. */
  readonly nth: number;
  /** Since the job was submitted. */
  readonly sinceMs: number;
  /** Since it really ended; null before that. */
  readonly endedMs: number | null;
  /** The outputs of the job, also before they are ready. */
  readonly made: readonly JobOutput[];
}

/** One read of a job's file, or of an image that was answered with a link. */
export interface FileRead extends JobObservation {
  /** The index of the output, from 0. */
  readonly index: number;
  readonly ext: string;
}

/** One callback of a job. `nth` counts them from 1. */
export interface ReportObservation extends JobObservation {
  /** Ids of the other jobs of the channel, the newest first. */
  readonly others: readonly string[];
}

/** A changed answer: another one, one that waits for an event, or a program over the connection. */
export type AlteredAnswer =
  | NativeAnswer
  | { readonly after: Promise<unknown>; readonly answer: NativeAnswer }
  | { readonly steps: Iterable<Step> };

/** The effects of a fault over the life of a job. Omitted members change nothing. */
export interface JobFault {
  /** Replaces members of the scripted life of the job. */
  readonly life?: ScriptedJob;
  /** Answers the submit; then no job is created. */
  readonly instead?: NativeAnswer;
  /** Changes the answer to the submit. */
  readonly submit?: (given: NativeAnswer) => AlteredAnswer;
  /** Changes the job state that a poll or a callback reports. */
  readonly show?: (view: JobView, observation: JobObservation) => JobView;
  /** Changes the answer to a poll. */
  readonly poll?: (given: NativeAnswer, observation: JobObservation) => AlteredAnswer;
  /** Changes the answer to a read of a file. */
  readonly file?: (given: NativeAnswer, observation: FileRead) => AlteredAnswer;
  /** Replaces a callback by zero or more others. */
  readonly report?: (given: Callback, observation: ReportObservation) => readonly Callback[];
}

/** Where an answer breaks off, and how. */
export type BreakingOff = CutPoint & { readonly by: ConnectionEnd };

/**
 * One fault of the catalogue, of one of six kinds:
 * - `instead`: an ordinary HTTP answer that replaces any other.
 * - `edit`: the ordinary answer with something changed; still ordinary HTTP.
 * - `hijack`: a program over the connection, whatever the request says.
 * - `wire`: a program over the connection made from the ordinary answer; null sends that answer as it is, since it is not
 *   the fault's turn yet.
 * - `cut`: the ordinary answer, broken off at a point; null has the connection go away after it.
 * - `job`: a plan that stays with a job, or with an image call's files, from its submit on.
 *
 * A refused request gets its refusal: neither `edit` nor `wire` is applied. A program that runs out of steps
 * ends with FIN and counts as complete; one that ends by a step counts as cut. A repeated submit of a known
 * job changes only its answer.
 */
export type Fault = {
  readonly id: string;
  /** What the request lacks so that the fault can never act; null if nothing is missing. */
  readonly needs?: (context: FaultContext) => string | null;
  /** What an answer must have. Completes the error sentence for an answer that the fault cannot change. */
  readonly actsOn?: string;
  /** The values that the fault itself sets. A script with the same values leaves nothing to change, and is not a misfit. */
  readonly states?: 'usage' | 'tool_calls';
} & (
  | { readonly kind: 'instead'; readonly answer: (context: FaultContext) => NativeAnswer }
  | { readonly kind: 'edit'; readonly answer: (given: NativeAnswer, context: FaultContext) => NativeAnswer }
  | { readonly kind: 'hijack'; readonly steps: (context: FaultContext) => Iterable<Step> }
  | {
      readonly kind: 'wire';
      readonly steps: (given: NativeAnswer, context: FaultContext) => Iterable<Step> | null;
    }
  | { readonly kind: 'cut'; readonly at: (context: FaultContext) => BreakingOff | null }
  | { readonly kind: 'job'; readonly plan: (context: FaultContext) => JobFault }
);
