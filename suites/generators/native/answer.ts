import type { Reply } from '../../../simulators/control/client.ts';
import type { Dialect } from '../../profile/dialects.ts';

/**
 * A raw answer of an upstream, for what a well-behaved one would not say: odd reasons to end, wrong clocks, missing or
 * peculiar usage, streams that break. The same content can be had in the form of each dialect.
 */
export interface NativeAnswer {
  readonly text: string;
  /** The dialect's own word for the end; null leaves it out. Omitted, the answer ended by itself. */
  readonly finish?: string | null;
  /** Seconds since the epoch, by the upstream's own clock, where the dialect tells the time. */
  readonly created?: number;
  /** Null: the upstream does not count. */
  readonly usage?: NativeCounts | null;
  readonly toolCalls?: readonly NativeCall[];
}

export interface NativeCounts {
  /** All input, cached and written tokens included. */
  readonly prompt_tokens: number;
  /** All output, thoughts included. */
  readonly completion_tokens: number;
  readonly cached_tokens?: number;
  /** Both slots together; only the messages dialect reports them. */
  readonly cache_write_tokens?: number;
  readonly cache_write_1h_tokens?: number;
  readonly reasoning_tokens?: number;
}

export interface NativeCall {
  readonly id: string;
  readonly name: string;
  /** JSON as text. */
  readonly arguments: string;
}

/** A stream as its events, one string each, blank line included. */
export interface NativeEvents {
  /** What comes before any text; may be empty. */
  readonly opening: readonly string[];
  /** One event a fragment. */
  readonly fragments: readonly string[];
  /** Whole calls, cut and mixed as oddly as the dialect allows. */
  readonly calls: readonly string[];
  /** The end, usage and closing mark. */
  readonly ending: readonly string[];
}

/** How one dialect writes its answers. */
export interface NativeWriter {
  readonly dialect: Dialect;
  /** Words for the end that the dialect is known to use, and what the response table can make of them. */
  readonly endings: readonly { readonly native: string; readonly means?: string }[];
  /** Words for an end that policy made. */
  readonly filtered: readonly string[];
  /** A plain answer. */
  completion(answer: NativeAnswer): Reply;
  /** The text of `answer` is that of the fragments. */
  stream(fragments: readonly string[], answer?: Omit<NativeAnswer, 'text'>): NativeEvents;
  /** Events that follow the opening, begin a call and never finish it. */
  cutCall(call: NativeCall): string[];
  /** How the dialect reports a failure inside a stream. */
  errorEvent(message: string): string;
  /** The error body that goes with a status. `word` stands in every place that is free. */
  errorBody(status: number, word: string): object;
  /** How the upstream says that the prompt does not fit its window. */
  readonly tooLong: Reply;
  /** Bodies with status 200 that are JSON and still no answer. */
  readonly noAnswers: readonly object[];
  /** How the dialect says that a prompt was blocked by policy, plain or in a stream. */
  blocked(stream: boolean): Reply;
}

export const defaultCounts: NativeCounts = { prompt_tokens: 12, completion_tokens: 7 };

/** The two halves of a text; a character is never halved. */
export function halves(text: string): [string, string] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')];
}

/** All events of a stream in their order. */
export function allOf({ opening, fragments, calls, ending }: NativeEvents): string[] {
  return [...opening, ...fragments, ...calls, ...ending];
}

/** A reply that sends these bytes as an event stream, whatever was asked for. */
export function asStream(...events: readonly (string | readonly string[])[]): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: events.flat().join(''),
  };
}
