import type { Reply } from 'gatecheck-simulators/client';
import type { Dialect } from '../../profile/dialects.ts';

/**
 * A raw answer that a well-behaved upstream would not give.
 * It may have odd finish reasons, wrong clocks, missing or odd usage, or a broken stream. Each dialect has a
 * form of it.
 */
export interface NativeAnswer {
  readonly text: string;
  /** The dialect's own finish reason; null leaves it out. Default: a normal stop. */
  readonly finish?: string | null;
  /** Seconds since the epoch by the upstream's own clock, in dialects with a timestamp. */
  readonly created?: number;
  /** Null: the upstream reports no usage. */
  readonly usage?: NativeCounts | null;
  readonly toolCalls?: readonly NativeCall[];
}

export interface NativeCounts {
  /** All input, including cached and written tokens. */
  readonly prompt_tokens: number;
  /** All output, including reasoning. */
  readonly completion_tokens: number;
  readonly cached_tokens?: number;
  /** Both lifetimes together; only the messages dialect reports writes. */
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

/** A stream as its events, one string each, including the blank line. */
export interface NativeEvents {
  /** The events before any text; may be empty. */
  readonly opening: readonly string[];
  /** One event for each fragment. */
  readonly fragments: readonly string[];
  /** Complete calls, split and interleaved as much as the dialect allows. */
  readonly calls: readonly string[];
  /** The end, the usage and the closing marker. */
  readonly ending: readonly string[];
}

/** A finish reason of an upstream. */
export interface NativeEnding {
  readonly native: string;
  /** The response table's translation; absent for an unknown word. */
  readonly means?: string;
  /** Whether the dialect itself uses it for an answer that ran out of room. */
  readonly noRoom?: boolean;
  /** Whether it reports that the upstream gave up. A gateway must not present such an answer as complete. */
  readonly isFailure?: boolean;
}

/** How one dialect writes its answers. */
export interface NativeWriter {
  readonly dialect: Dialect;
  /** Finish reasons of the dialect, and words that it does not define. */
  readonly endings: readonly NativeEnding[];
  /** Finish reasons of the dialect for an answer that policy stopped. */
  readonly filtered: readonly string[];
  /** A whole answer. */
  completion(answer: NativeAnswer): Reply;
  /** The text of `answer` is that of the fragments. */
  stream(fragments: readonly string[], answer?: Omit<NativeAnswer, 'text'>): NativeEvents;
  /** Events after the opening that begin a call and never finish it. */
  cutCall(call: NativeCall): string[];
  /** How the dialect reports a failure inside a stream. */
  errorEvent(message: string): string;
  /** The error body for a status. `word` fills every free text. */
  errorBody(status: number, word: string): object;
  /** How the upstream reports that the prompt exceeds its context window. */
  readonly tooLong: Reply;
  /** Bodies with status 200 that are JSON but not an answer. */
  readonly noAnswers: readonly object[];
  /** How the dialect reports a prompt that policy blocked, plain or in a stream. */
  blocked(stream: boolean): Reply;
  /** How the dialect reports that policy cuts off a stream after some text. */
  readonly cutByPolicy: Reply;
}

export const defaultCounts: NativeCounts = { prompt_tokens: 12, completion_tokens: 7 };

/** The two halves of a text. A character is never split. */
export function halves(text: string): [string, string] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')];
}

/**
 * The two halves of the arguments of a call. They are split inside a surrogate pair if there is one, because its JSON escapes
 * may be split too.
 */
export function argumentHalves(text: string): [string, string] {
  const pair = text.search(/[\ud800-\udbff][\udc00-\udfff]/);
  return pair < 0 ? halves(text) : [text.slice(0, pair + 1), text.slice(pair + 1)];
}

/** All events of a stream in order. */
export function allOf({ opening, fragments, calls, ending }: NativeEvents): string[] {
  return [...opening, ...fragments, ...calls, ...ending];
}

/** A reply that sends these bytes as an event stream, whatever the request asks for. */
export function asStream(...events: readonly (string | readonly string[])[]): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: events.flat().join(''),
  };
}
