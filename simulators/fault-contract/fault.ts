import type { Callback } from '../answers/callback.ts';
import type { JobOutput, JobView } from '../answers/job-view.ts';
import type { CallKind, DialectName, NativeAnswer } from '../answers/native-answer.ts';
import type { Step } from '../answers/wire-program.ts';
import type { ScriptedJob } from '../control/job-shapes.ts';
import type { Random } from '../random.ts';

/** What a fault may look at. The same context gives the same fault, byte for byte. */
export interface FaultContext {
  readonly dialect: DialectName;
  readonly call: CallKind;
  /** The named variation that was asked for; the first of the catalogue's when none was. */
  readonly form: string | null;
  /** After how many content deltas it acts, where that means something; the fault has a default of its own. */
  readonly after: number | null;
  /** Depends on (seed, scenario, scope, route, nth request of the scope) and on nothing else. */
  readonly random: Random;
  /** Which request of its scope and route this is, from 1. */
  readonly nth: number;
  /** How many requests the connection carried before this one. */
  readonly earlier: number;
  /** When the reply began, ms of the simulators' clock: for dates in answers. */
  readonly nowMs: number;
  /** The body of the request, for faults that answer what was sent. */
  readonly request: Buffer;
  /** The `host` header and the target of the request, as they were sent. */
  readonly host: string;
  readonly target: string;
  /** What this upstream puts into every head. An answer without it comes from something in between. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a submit: which one with its Idempotency-Key or reference in the channel this is, from 1; without one, 1. */
  readonly submits: number;
}

/** One look at a job that was submitted: what a fault of its whole life may go by. */
export interface JobObservation {
  readonly dialect: DialectName;
  readonly form: string | null;
  /** Depends on (seed, scope, channel, job, nth) and on nothing else. */
  readonly random: Random;
  /** What this upstream puts into every head. */
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
  /** Which poll of the job this is, from 1, by its id and by its reference alike; of a file, which read of it. */
  readonly nth: number;
  /** Since the job was submitted. */
  readonly sinceMs: number;
  /** Since it truly ended; null before that. */
  readonly endedMs: number | null;
  /** What the job makes, also before it is made. */
  readonly made: readonly JobOutput[];
}

/** One read of a file, of a job or of a picture that was answered with a link. */
export interface FileRead extends JobObservation {
  /** Which output of its job it is, from 0. */
  readonly index: number;
  readonly ext: string;
}

/** One report of a job that tells its changes itself; `nth` counts them from 1. */
export interface ReportObservation extends JobObservation {
  /** Ids of the other jobs of the channel, the newest first. */
  readonly others: readonly string[];
}

/** What becomes of an answer: another one, one that waits for something, or an exact program over the connection. */
export type AlteredAnswer =
  | NativeAnswer
  | { readonly after: Promise<unknown>; readonly answer: NativeAnswer }
  | { readonly steps: Iterable<Step> };

/** What a fault does over the life of a job. All that is left out goes its ordinary way. */
export interface JobFault {
  /** In place of the members of the reply that answered the submit. */
  readonly life?: ScriptedJob;
  /** The answer to the submit in place of any other; then no job is made. */
  readonly instead?: NativeAnswer;
  /** The answer to the submit itself. */
  readonly submit?: (given: NativeAnswer) => AlteredAnswer;
  /** What a poll or a callback tells of the job. */
  readonly show?: (view: JobView, observation: JobObservation) => JobView;
  /** The answer to a poll. */
  readonly poll?: (given: NativeAnswer, observation: JobObservation) => AlteredAnswer;
  /** The answer to a read of a file. */
  readonly file?: (given: NativeAnswer, observation: FileRead) => AlteredAnswer;
  /** What goes out in place of a report. */
  readonly report?: (given: Callback, observation: ReportObservation) => readonly Callback[];
}

/**
 * One fault of the catalogue.
 * - `instead`: an ordinary HTTP answer in place of any other, whatever the request says.
 * - `edit`: the answer that the request would have got, with something changed; still ordinary HTTP.
 * - `hijack`: an exact program over the connection, whatever the request says.
 * - `wire`: an exact program over the connection, made from the answer that the request would have got; null when
 *   this time that answer is to be sent as it is.
 * - `job`: what befalls a job from its submit on, for as long as it is known. On a call for pictures it befalls the
 *   answer and the files behind its links. A submit that names a known job again is befallen in its answer alone.
 *
 * A request that is refused gets its refusal, and neither `edit` nor `wire` is applied. A program that runs out of
 * steps ends with FIN, and the answer counts as complete; one that ends by a step counts as cut.
 */
export type Fault = { readonly id: string } & (
  | { readonly kind: 'instead'; readonly answer: (context: FaultContext) => NativeAnswer }
  | { readonly kind: 'edit'; readonly answer: (given: NativeAnswer, context: FaultContext) => NativeAnswer }
  | { readonly kind: 'hijack'; readonly steps: (context: FaultContext) => Iterable<Step> }
  | {
      readonly kind: 'wire';
      readonly steps: (given: NativeAnswer, context: FaultContext) => Iterable<Step> | null;
    }
  | { readonly kind: 'job'; readonly plan: (context: FaultContext) => JobFault }
);
