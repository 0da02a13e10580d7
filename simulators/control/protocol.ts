/** The shapes that travel over the control API. Types only: `client.ts` hands them to other rooms. */

import type { CutPoint } from '../answers/cut-point.ts';
import type { WireEnd } from '../answers/wire-program.ts';
import type { RecordedResponse } from '../recordings/recorded.ts';
import type { FaultFacts, JobFaultFacts, WebhookFaultFacts } from './fault-facts.ts';
import type { ScriptedJob } from './job-shapes.ts';

/** What a lane's upstream answers. The newest script that matches a request wins. */
export interface Script {
  /** Only requests whose body contains these bytes; letters, digits and dashes survive any JSON writer. */
  marker?: string;
  /** Only requests to this channel. */
  channel?: string;
  /** The n-th matching request gets `replies[n]`. */
  replies: Reply[];
  /** After the last reply: give it again (the default), or answer as if nothing were scripted. */
  then?: 'repeat' | 'default';
}

/**
 * One answer. Without `text`, `deltas`, `tool_calls`, `status` and `body` the content is the generated one,
 * and the rest of the reply shapes it.
 */
export interface Reply {
  text?: string;
  tool_calls?: ScriptedToolCall[];
  /** Reported as it stands; omitted, it follows from the content and from what cut it. */
  finish?: Finish;
  /** Reported as it stands (the total is the sum); omitted, it is counted by the token rule. */
  usage?: ScriptedUsage;
  /** The model name reported; the native name that was asked for when omitted. */
  model?: string;
  /** Whether stop sequences and token limits also cut scripted content. Default true. */
  obey?: boolean;
  /** The exact split of the text in a stream; their concatenation is the text. */
  deltas?: string[];
  /** In how many fragments a stream sends the arguments of a call. Default 3. */
  argument_deltas?: number;
  /** When the deltas leave, on the simulators' clock. */
  pacing?: Pacing;
  /** Wait until released: before the head, before the k-th content delta (from 0), before the ending. */
  gates?: Gate[];
  /** A raw answer instead of a completion. Alone and from 400 up, it carries the dialect's own error body. */
  status?: number;
  /** Added to the answer's headers, or in place of those of the same name. */
  headers?: Record<string, string>;
  /** Raw body: a string is sent as it is, anything else as JSON. */
  body?: unknown;
  /** Read the request and never answer, or stop for ever before the k-th delta. */
  hang?: 'head' | number;
  /**
   * End the connection after the head, after k content deltas, after the finish chunk, or at a named point; `delta`
   * tells in which delta a point inside one lies, else it is the first that has it.
   */
  cut?: CutPoint & { by: WireEnd };
  /** A fault of the catalogue befalls the answer. */
  fault?: ScriptedFault;
  /** The life of the job that a submit begins; of a call for pictures `outputs` and `link_life_ms`. */
  job?: ScriptedJob;
  /** The `response` of an exchange in a capture: sent again byte for byte, at its times and to its end. */
  replay?: RecordedResponse;
}

/** A fault by its id. */
export interface ScriptedFault {
  id: string;
  /** One of its forms; the first when omitted. */
  form?: string;
  /** After how many content deltas it acts; the fault has a default of its own. */
  after?: number;
}

/**
 * The waits of one answer: before its first delta, and between two deltas. Each is drawn once an answer, and all
 * deadlines count from its beginning.
 */
export interface Pacing {
  first_ms?: Latency;
  each_ms?: Latency;
}

/** A wait, ms. A trace between deltas is followed from its beginning; before the first one it gives any value. */
export type Latency =
  | number
  | { fixed: number }
  | { uniform: { min: number; max: number } }
  | { log_normal: { median: number; sigma: number; cap: number } }
  | { trace: number[] };

export interface ScriptedToolCall {
  id?: string;
  name: string;
  /** JSON as text; sent unchecked. */
  arguments: string;
}

/** Token counts, the same for every dialect; each renders them in its own way. */
export interface ScriptedUsage {
  /** All input, cached and written tokens included. */
  prompt_tokens: number;
  /** All output, reasoning included. */
  completion_tokens: number;
  /** Part of the prompt: read from the upstream's prompt cache. */
  cached_tokens?: number;
  /** Part of the prompt: written to the upstream's prompt cache, whatever their life. */
  cache_write_tokens?: number;
  /** Part of the written ones: those that live an hour instead of five minutes. */
  cache_write_1h_tokens?: number;
  /** Part of the completion: thought, and not said. */
  reasoning_tokens?: number;
}

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export type Gate = number | 'head' | 'end';

/** One request as it reached the upstream, and what became of it. Times are ms on the simulators' clock. */
export interface JournalEntry {
  /** Counts the requests of the lane from 1; never used twice, also not after a reset. */
  n: number;
  lane: string;
  channel: string;
  received_at_ms: number;
  request: {
    method: string;
    /** The request target as it was sent, lane and query included. */
    path: string;
    /** Names and values in the order and case of the wire. */
    headers: [string, string][];
    body_base64: string;
    /** Whether the body arrived to its end. */
    complete: boolean;
  };
  reply: {
    /** The script that answered, or null for generated and refused ones. */
    script: string | null;
    /** The fault that befell it, with its form. */
    fault?: FaultEntry;
    /** What decided on the seeded draws of a model call, and what was drawn. */
    draws?: DrawsEntry;
    status: number | null;
    /** The gate where it waits now (`head`, `end`, `0`, `1`, …), `hang`, or null. */
    waiting_at: string | null;
    sends: Send[];
    /**
     * The body sent so far, without transfer coding. Of a program over the connection the first MiB as it stood on
     * the wire, heads and chunk sizes included.
     */
    body_base64: string;
    ended: Ended;
    ended_at_ms: number | null;
  };
}

export interface FaultEntry {
  id: string;
  form: string | null;
  after: number | null;
  /** Why it could not be applied: it does not exist in the dialect, or in such calls. The answer was 501. */
  misfit?: string;
}

/** The answer to `GET /faults`: the whole catalogue. */
export interface FaultsAnswer {
  faults: (FaultFacts | JobFaultFacts | WebhookFaultFacts)[];
}

/** The same first five members give the same draws, in every process and in any order of requests. */
export interface DrawsEntry {
  seed: number;
  /** The scenario that the scope follows. */
  scenario: string | null;
  scope: string;
  /** Channel and native path. */
  route: string;
  /** Counts the model calls of the route in its scope from 1, and again from 1 after a reset. */
  nth: number;
  /** What was armed and fired: an arm's id, or the part of the scenario. */
  disturbed_by: string | null;
  /** Name to value: `rate-0`, `share`, `first_ms`, … */
  drawn: Record<string, number>;
}

/**
 * One write: labels are `head`, `role`, `delta-0`…, `finish`, `usage`, `done`, and `body`, `body-rest`; a fault has
 * others, too. Of a program that writes without end the first hundred thousand are kept.
 */
export interface Send {
  label: string;
  intended_ms: number;
  actual_ms: number;
  /** Bytes of body; 0 for the head. Of a program over the connection all bytes. */
  bytes: number;
}

export type Ended = 'open' | 'complete' | 'cut' | 'client-gone';

/** Which entries, and what to wait for. `requests` counts those read to their end (or broken off). */
export interface JournalQuery {
  /** Only entries with a greater n. */
  after?: number;
  /** Only entries whose request body contains this text. */
  marker?: string;
  /** Only entries whose request target contains this text. */
  path?: string;
  requests?: number;
  /** Entries at a gate or hanging. */
  waiting?: number;
  ended?: number;
  /** Real time; default 5000, at most 600000. */
  timeout_ms?: number;
}

export interface JournalAnswer {
  /** False when `timeout_ms` passed first; the entries are then what there is. */
  satisfied: boolean;
  entries: JournalEntry[];
  /** How many of the lane's oldest entries were given up for room. */
  dropped: number;
}

export interface ClockAnswer {
  now_ms: number;
  next_due_ms: number | null;
}

export interface HealthAnswer {
  ok: true;
  seed: number;
  now_ms: number;
}

/** Every refusal of the control API. */
export interface ControlErrorBody {
  error: { message: string; path?: string };
}
