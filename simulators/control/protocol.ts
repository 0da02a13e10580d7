/** The shapes of the control API. Types only: `client.ts` exports them to other packages. */

import type { CutPoint } from '../answers/cut-point.ts';
import type { DialectVersion, VariedDialectName } from '../answers/native-answer.ts';
import type { ConnectionEnd, WireEnd } from '../answers/wire-program.ts';
import type { RecordedResponse } from '../recordings/recorded.ts';
import type { FaultFacts, JobFaultFacts, WebhookFaultFacts } from './fault-facts.ts';
import type { ScriptedJob } from './job-shapes.ts';
import type { Match } from './matching.ts';

/** What a tenant's upstream answers. The newest script that matches a request wins. */
export interface Script {
  /** The name of the script in reports and rejections. */
  name?: string;
  /** Which requests it answers. Default: every model call. */
  match?: Match;
  /** Only requests whose body contains this text. Letters, digits and dashes look the same in any JSON encoding. */
  marker?: string;
  /** Only requests to this channel. */
  channel?: string;
  /** The answers, one for each matching request, in order. */
  replies: Reply[];
  /** After the last reply: repeat it (the default), answer as if there were no script, or try the next script. */
  then?: 'repeat' | 'default' | 'next';
  /** Whether a test may end with unused replies. Default false. */
  optional?: boolean;
  /**
   * How the connection of a matching request ends if it carried earlier requests, like a connection that died in the client's
   * pool. Token-count requests match, too. Such a request uses no reply.
   */
  reused?: WireEnd;
}

/**
 * One answer. Without `text`, `deltas`, `tool_calls`, `status` and `body` the content is generated; the rest
 * shapes it. Texts may quote the request: `{{model}}`, `{{text}}`, `{{turn}}`, `{{match.1}}`, `{{header.name}}`,
 * `{{body.messages.0.role}}`.
 */
export interface Reply {
  text?: string;
  /** The reasoning that the model shows before the text: a block, a part or an item, depending on the dialect. */
  reasoning?: string;
  tool_calls?: ScriptedToolCall[];
  /** Sent unchanged. Default: derived from the content and from the limit that cut it. */
  finish?: Finish;
  /** Sent unchanged; the total is the sum. Default: counted by the token rule. */
  usage?: ScriptedUsage;
  /** The model name in the answer. Default: the native name of the request. */
  model?: string;
  /** Whether stop sequences and token limits also cut scripted content. Default true. */
  obey?: boolean;
  /** Whether to also reject requests that the provider only tolerates. Default false. */
  strict?: boolean;
  /**
   * The only dialect version that this upstream accepts; it rejects requests of the other one. Default: the version that the
   * request names, otherwise the current one.
   */
  version?: DialectVersion;
  /** The dialect variant of this upstream, by name. Default: those of the tenant's settings. */
  variant?: string;
  /** The limits of each key. Requests beyond them get the provider's own 429, and answers report the true remainder. */
  limits?: ScriptedLimits;
  /** The exact split of the text in a stream; joined, they are the text. */
  deltas?: string[];
  /** In how many fragments a stream sends the arguments of a call. Default 3. */
  argument_deltas?: number;
  /** When the deltas are sent, on the simulators' clock. */
  pacing?: Pacing;
  /**
   * Where the answer waits until it is released: before the head, the k-th content delta (from 0), or the
   * ending.
   */
  gates?: Gate[];
  /**
   * A raw answer instead of a completion. A status of 400 or more without `body` gets the dialect's own error
   * body.
   */
  status?: number;
  /** Members of the dialect's own error body, for a status of 400 or more. */
  error?: { message?: string; type?: string; code?: string };
  /** A raw stream of server-sent events instead of a completion: each at its time, ms after the reply began. */
  events?: RawEvent[];
  /** Headers that are added to the answer, or replace those of the same name. */
  headers?: Record<string, string>;
  /** Raw body: a string is sent as it is, anything else as JSON. */
  body?: unknown;
  /** Never answer, or stop before the k-th delta. */
  hang?: 'head' | number;
  /**
   * Ends the connection after the head, k content deltas, the finish chunk, or at a named point. `delta` selects the delta of
   * a point. Default: the first delta that has the point.
   */
  cut?: CutPoint & { by: ConnectionEnd };
  /** Applies a fault of the catalogue to the answer. */
  fault?: ScriptedFault;
  /** The life of the submitted job. Image calls use its outputs and links. */
  job?: ScriptedJob;
  /** The `response` of a captured exchange, replayed byte for byte with its times and its end. */
  replay?: RecordedResponse;
}

/** The limits of each key on a channel; at least one. Windows start at the tenant's last reset and refill continuously. */
export interface ScriptedLimits {
  requests_per_minute?: number;
  /** Tokens used by chat calls. An answer may exceed the limit; the next requests wait until the excess has refilled. */
  tokens_per_minute?: number;
}

/** A server-sent event. Data that is no text is sent as JSON. */
export interface RawEvent {
  event?: string;
  data: unknown;
  at_ms?: number;
}

/** A fault by its id. */
export interface ScriptedFault {
  id: string;
  /** One of its forms. Default: the first. */
  form?: string;
  /** After how many content deltas it acts. Default: the fault's own. */
  after?: number;
  /** The wait of the fault, ms: between bytes, before the end, or until a retry. Default: the fault's own. */
  wait_ms?: number;
}

/**
 * The delays of one answer: before its first delta, and between two deltas.
 * Each is drawn once per answer; all deadlines count from its beginning.
 */
export interface Pacing {
  first_ms?: Latency;
  each_ms?: Latency;
}

/**
 * A delay, ms. Between deltas, a trace is replayed from its beginning. Before the first delta, any of its values is drawn.
 */
export type Latency =
  | number
  | { fixed: number }
  | { uniform: { min: number; max: number } }
  /** Log-normal, so that half of the delays are below `p50` and 99 of 100 below `p99`. */
  | { percentiles: { p50: number; p99: number } }
  | { log_normal: { median: number; sigma: number; cap: number } }
  | { trace: number[] };

export interface ScriptedToolCall {
  id?: string;
  name: string;
  /** JSON as text; sent unchecked. */
  arguments: string;
}

/** Token counts for every dialect; each renders them in its own way. */
export interface ScriptedUsage {
  /** All input, cached and written tokens included. */
  prompt_tokens: number;
  /** All output, reasoning included. */
  completion_tokens: number;
  /** Part of the prompt: read from the upstream's prompt cache. */
  cached_tokens?: number;
  /** Part of the prompt: written to the upstream's prompt cache, for any lifetime. */
  cache_write_tokens?: number;
  /** Part of `cache_write_tokens`: kept for an hour instead of five minutes. */
  cache_write_1h_tokens?: number;
  /** Part of the completion: reasoning. */
  reasoning_tokens?: number;
}

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export type Gate = number | 'head' | 'end';

/** The answer to `GET /faults`: the whole catalogue. */
export interface FaultsAnswer {
  faults: (FaultFacts | JobFaultFacts | WebhookFaultFacts)[];
}

/** How a tenant treats unscripted requests, and which variants its upstreams simulate. */
export interface SettingsGiven {
  /** Whether a model call without a script gets a 501 that names the nearest script. */
  strict?: boolean;
  /** Whether models that the simulators do not list are rejected. */
  strict_models?: boolean;
  /** The variants that its upstreams simulate, by name, each in its own dialect. */
  variants?: string[];
}

/** The answer to `GET /variants`. */
export interface VariantsAnswer {
  variants: VariantFacts[];
}

/** A provider, or a version of one, that differs from others of its dialect: the difference, its source and its date. */
export interface VariantFacts {
  name: string;
  dialect: VariedDialectName;
  about: string;
  /** Where it was observed, an https URL. */
  source: string;
  /** The date of the source, YYYY-MM-DD. */
  on: string;
}

export interface ClockAnswer {
  now_ms: number;
  next_due_ms: number | null;
}

export interface HealthAnswer {
  ok: true;
  seed: number;
  now_ms: number;
  /** The URL at which clients reach the upstreams. */
  provider_url: string;
}
