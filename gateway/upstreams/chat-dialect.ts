import type { UpstreamClient } from './client.ts';
import type { UpstreamOutcome } from './outcome.ts';

/** Where a call goes and who waits for it. */
interface Target {
  /** Without a slash at its end; the dialect appends its own path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For dialects that name the model in the path. */
  readonly nativeModel: string;
  /** Aborts when the caller is gone. */
  readonly gone: AbortSignal;
}

/** A chat request in the words of a dialect. */
export interface NativeRequest {
  /** The native body, as JSON text. */
  readonly body: string;
  /** What the request says in headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A tool that is ours, not the caller's: its input is the text of the answer. */
  readonly textTool?: string;
  /** The caller's names of functions by the native ones, where a dialect would not have taken them. */
  readonly givenNames?: ReadonlyMap<string, string>;
  /** Stops that the dialect does not take: the text that comes back is cut at them. */
  readonly ownStops?: readonly string[];
}

/** One request to an upstream for an answer. */
export interface ChatCall extends Target, NativeRequest {
  readonly stream: boolean;
  /** The caller speaks this dialect too: what a common answer has no place for is kept beside it. */
  readonly keepNative: boolean;
}

/** One request to an upstream for the length of a prompt. */
export interface CountCall extends Target, Pick<NativeRequest, 'body' | 'headers'> {}

/** How one dialect is spoken: paths, headers, answers, streams, errors. Bodies are made in requests/native-body. */
export interface ChatDialect {
  /**
   * Sends one call. A stream is handed over when its first pieces or its end have arrived, so that everything that
   * fails before them is still an ordinary failure. Never rejects. `newCallId` names tool calls that came unnamed.
   */
  complete(client: UpstreamClient, newCallId: () => string, call: ChatCall): Promise<UpstreamOutcome>;
  /** Tokens of a prompt as the upstream counts them; null when it does not say in time. Never rejects. */
  countPrompt?(client: UpstreamClient, call: CountCall): Promise<number | null>;
}
