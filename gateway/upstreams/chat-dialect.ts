import type { Gone } from '../gone.ts';
import type { UpstreamClient } from './client.ts';
import type { UpstreamOutcome } from './outcome.ts';

/** Where a call goes, and the signal that cancels it. */
interface Target {
  /** Without a trailing slash; the dialect appends its own path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For dialects that name the model in the path. */
  readonly nativeModel: string;
  /** Aborts when the caller disconnects. */
  readonly gone: Gone;
}

/** A chat request translated to a dialect. */
export interface NativeRequest {
  /** The native body, as JSON text. */
  readonly body: string;
  /** Extra headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of a tool that the gateway added; its input is the text of the answer. */
  readonly textTool?: string;
  /** The caller's function names by native name, where the dialect does not allow the caller's. */
  readonly givenNames?: ReadonlyMap<string, string>;
  /** Stop sequences that the dialect does not support: the gateway cuts the text at them. */
  readonly ownStops?: readonly string[];
}

/** A request to an upstream for an answer. */
export interface ChatCall extends Target, NativeRequest {
  readonly stream: boolean;
  /** Use a new connection. */
  readonly isFresh: boolean;
  /** Whether the caller uses this dialect too: then native-only fields are kept in addition to the common answer. */
  readonly keepNative: boolean;
}

/** A request to an upstream for the token count of a prompt. */
export interface CountCall extends Target, Pick<NativeRequest, 'body' | 'headers'> {}

/** The implementation of a dialect: paths, headers, answers, streams and errors. requests/native-body makes the bodies. */
export interface ChatDialect {
  /**
   * Sends one call and never rejects. A stream is returned once its first pieces or its end have arrived; a
   * failure before that is an ordinary failure. `newCallId` makes ids for tool calls that came without one.
   */
  complete(client: UpstreamClient, newCallId: () => string, call: ChatCall): Promise<UpstreamOutcome>;
  /** The upstream's token count of a prompt; null if it returns none in time. Never rejects. */
  countPrompt?(client: UpstreamClient, call: CountCall): Promise<number | null>;
}
