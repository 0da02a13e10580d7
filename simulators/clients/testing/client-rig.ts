import type { AnswerKind, ChatDialectName, DialectVersion } from '../../answers/native-answer.ts';

/** Where a client is pointed, and how long it and its caller wait. */
export interface Target {
  /** Scheme, host, tenant and channel. The rig appends the path of its dialect. */
  readonly origin: string;
  /** The client's own limit. */
  readonly timeoutMs: number;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** The parts that the client has returned so far. A rig fills it as it reads; null means absent. */
export interface Shown {
  text: string | null;
  finish: unknown;
  /** Input and output tokens as the answer reports them; in a stream, the last report. */
  usage: readonly [input: unknown, output: unknown] | null;
  /** Name and arguments of each tool call. */
  calls: (readonly [name: string, args: string])[];
  /** The type of a result that is not an object. */
  instead: string | null;
}

/** One official client, with its retries off. */
export interface ClientRig {
  /** The package. */
  readonly client: string;
  readonly dialect: ChatDialectName;
  /** The version that upstreams simulate, if the client's requests do not name it. */
  readonly plays?: DialectVersion;
  /** Makes one call and reads it to its end. Rejects with the error that the client throws. */
  ask(call: AnswerKind, target: Target, shown: Shown): Promise<void>;
  /** Whether the client has a class of its own for this error. */
  isOwn(error: unknown): boolean;
}

export function nothingShown(): Shown {
  return { text: null, finish: null, usage: null, calls: [], instead: null };
}

/** The member at a path; undefined if absent. Clients pass answers on unchecked, so their types prove nothing. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}

/** The list at a path; empty if the member is not a list. */
export function listOf(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Appends text to the shown text. Ignores other types. */
export function addText(shown: Shown, more: unknown): void {
  if (typeof more === 'string') shown.text = (shown.text ?? '') + more;
}

/** An image of one dot: a PNG as base64. */
export const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
