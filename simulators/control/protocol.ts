/** The shapes of the control API. Types only: `client.ts` exports them to other rooms. */

import type { CutPoint } from '../answers/cut-point.ts';
import type { ChatDialectName, DialectVersion } from '../answers/native-answer.ts';
import type { ConnectionEnd, WireEnd } from '../answers/wire-program.ts';
import type { RecordedResponse } from '../recordings/recorded.ts';
import type { FaultFacts, JobFaultFacts, WebhookFaultFacts } from './fault-facts.ts';
import type { ScriptedJob } from './job-shapes.ts';
import type { Match } from './matching.ts';

/** What a tenant's upstream answers. The newest script that matches a request wins. */
export interface Script {
  /** What reports and refusals call it. */
  name?: string;
  /** Which requests it answers. Default: every model call. */
  match?: Match;
  /** Only requests whose body contains this text; letters, digits and dashes survive any JSON writer. */
  marker?: string;
  /** Only requests to this channel. */
  channel?: string;
  /** The n-th matching request gets `replies[n]`. */
  replies: Reply[];
  /** After the last reply: repeat it (the default), answer as if nothing were scripted, or try the next script. */
  then?: 'repeat' | 'default' | 'next';
  /** Whether a test may end before its replies are used. Default false. */
  optional?: boolean;
  /**
   * How the connection of a matching request ends, token counts included, when it carried requests before: like one that
   * has died in the client's pool. Such a request uses no reply.
   */
  reused?: WireEnd;
}

/**
 * One answer. Without `text`, `deltas`, `tool_calls`, `status` and `body` the content is generated; the rest
 * shapes it.
 */
export interface Reply {
  text?: string;
  /** What the model shows of its reasoning: a block, a part or an item before the text, as the dialect has it. */
  reasoning?: string;
  tool_calls?: ScriptedToolCall[];
  /** Sent unchanged. Default: follows from the content and from what cut it. */
  finish?: Finish;
  /** Sent unchanged; the total is the sum. Default: counted by the token rule. */
  usage?: ScriptedUsage;
  /** The model name in the answer. Default: the native name of the request. */
  model?: string;
  /** Whether stop sequences and token limits also cut scripted content. Default true. */
  obey?: boolean;
  /** Whether the request is also refused for what the provider only tolerates. Default false. */
  strict?: boolean;
  /**
   * The only version of its dialect that this upstream plays; a request of the other one is refused. Default: the one
   * that the request names, and the current one where requests name none.
   */
  version?: DialectVersion;
  /** The variant of its dialect that this upstream plays, by name. Default: those of the tenant's settings. */
  variant?: string;
  /** How much each key may ask for; what is beyond gets the provider's own 429. Answers report what is left, truly. */
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
  /** Added to the answer's headers, or replacing those of the same name. */
  headers?: Record<string, string>;
  /** Raw body: a string is sent as it is, anything else as JSON. */
  body?: unknown;
  /** Never answer, or stop before the k-th delta. */
  hang?: 'head' | number;
  /**
   * Ends the connection after the head, k content deltas, the finish chunk, or at a named point.
   * `delta` says in which delta a point lies; default: the first that has it.
   */
  cut?: CutPoint & { by: ConnectionEnd };
  /** Applies a fault of the catalogue to the answer. */
  fault?: ScriptedFault;
  /** The life of the submitted job. Image calls use its outputs and links. */
  job?: ScriptedJob;
  /** The `response` of a captured exchange, sent again byte for byte, at its times and to its end. */
  replay?: RecordedResponse;
}

/** The limits of each key on a channel; at least one. They are counted since the tenant's last reset, and refilled all the time. */
export interface ScriptedLimits {
  requests_per_minute?: number;
  /** Tokens of the usage of chats; an answer is sent whole, and what it was beyond the limit has to be waited for. */
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
  /** The wait of a fault that waits, ms: between bytes, before the end, or until a retry. Default: the fault's own. */
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
 * A delay, ms. Between deltas a trace is played from its beginning; before the first delta any of its values is
 * drawn.
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
  /** Part of those written: kept for an hour instead of five minutes. */
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

/** How a tenant treats unscripted requests, and which providers it plays. */
export interface SettingsGiven {
  /** Whether a model call without a script is answered 501 with the nearest script. */
  strict?: boolean;
  /** Whether models beyond those of the simulators are refused. */
  strict_models?: boolean;
  /** The variants that its upstreams play, by name, each in its own dialect. */
  variants?: string[];
}

/** The answer to `GET /variants`. */
export interface VariantsAnswer {
  variants: VariantFacts[];
}

/** A provider, or a version of one, that differs from the others of its dialect: how, by whose word, and when. */
export interface VariantFacts {
  name: string;
  dialect: ChatDialectName;
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
  /** Where clients reach the upstreams. */
  provider_url: string;
}
