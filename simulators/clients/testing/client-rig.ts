import type { AnswerKind, ChatDialectName, DialectVersion } from '../../answers/native-answer.ts';

/** Where a client is pointed, and how long anybody waits. */
export interface Target {
  /** Scheme, host, tenant and channel; what the dialect has behind that is the rig's matter. */
  readonly origin: string;
  /** The client's own limit. */
  readonly timeoutMs: number;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** What the client has shown its caller so far; a rig fills it as it reads. Null is what was not there. */
export interface Shown {
  text: string | null;
  finish: unknown;
  /** Input and output as they are named in the answer; what came last in a stream. */
  usage: readonly [input: unknown, output: unknown] | null;
  /** Name and arguments of each tool call. */
  calls: (readonly [name: string, args: string])[];
  /** What came in place of an answer, when that is no object: its type. */
  instead: string | null;
}

/** One official client, with its retries off. */
export interface ClientRig {
  /** The package. */
  readonly client: string;
  readonly dialect: ChatDialectName;
  /** The version that upstreams play, where the client's requests do not name it. */
  readonly plays?: DialectVersion;
  /** Makes one call and reads it to its end. Rejects with whatever the client throws. */
  ask(call: AnswerKind, target: Target, shown: Shown): Promise<void>;
  /** Whether the client has a class of its own for this error. */
  isOwn(error: unknown): boolean;
}

export function nothingShown(): Shown {
  return { text: null, finish: null, usage: null, calls: [], instead: null };
}

/** What is there of a value that clients pass on unchecked, whatever their types say. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}

/** A member that should be a list. */
export function listOf(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Adds text to what is shown; anything else is not text. */
export function addText(shown: Shown, more: unknown): void {
  if (typeof more === 'string') shown.text = (shown.text ?? '') + more;
}

/** An image of one dot: a PNG as base64. */
export const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
