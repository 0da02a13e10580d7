import type { Dialect } from '../../profile/dialects.ts';
/**
 * A chat request as it reached an upstream, in one form for all native dialects, so that it can be held against what
 * the caller sent. What two spellings of the same request differ in is left out: how lists that are absent or empty are
 * written, whether system text is a turn or a member of its own, in which turn tool results stand.
 */
export interface NativeView {
  readonly dialect: Dialect;
  /** The name under which the model was asked for. */
  readonly model: string | null;
  readonly stream: boolean;
  /** High-level instructions, one part a block, lifted out of the turns. */
  readonly system: readonly Part[];
  /** The conversation without system turns. Each tool result is a turn of its own. */
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolView[];
  readonly fields: NativeFields;
  /** Every cache hint of the body with its place, wherever it stands. */
  readonly hints: readonly PlacedHint[];
}

export interface Turn {
  readonly role: string;
  readonly parts: readonly Part[];
  readonly calls: readonly Call[];
  /** What a tool gave back; only in turns of role `tool`. */
  readonly result: Result | null;
}

export type Part = TextPart | MediaPart | OtherPart;

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly cache: CacheHint | null;
}

/** An image, or another medium. Either the bytes or an address is there. */
export interface MediaPart {
  readonly kind: 'media';
  /** The native word for the block, such as `image_url`, `document`, `inlineData`. */
  readonly block: string;
  readonly mime: string | null;
  readonly base64: string | null;
  readonly url: string | null;
  readonly cache: CacheHint | null;
}

/** A block that no dialect of a chat request should hold. */
export interface OtherPart {
  readonly kind: 'other';
  readonly raw: unknown;
  readonly cache: CacheHint | null;
}

export interface Call {
  readonly id: string | null;
  readonly name: string;
  /** The value of the JSON, numbers exact. */
  readonly arguments: unknown;
  readonly cache: CacheHint | null;
}

export interface Result {
  /** The id of the call that is answered; null where the dialect does without. */
  readonly callId: string | null;
  /** The name of the function; null where the dialect does without. */
  readonly name: string | null;
  /** A text, or the object in which the dialect carries it. */
  readonly value: unknown;
  readonly cache: CacheHint | null;
}

export interface ToolView {
  readonly name: string;
  readonly description: string | null;
  readonly parameters: unknown;
  /** A dialect may have a schema language of its own beside JSON Schema, poorer and with other words. */
  readonly schema: 'json-schema' | 'own';
  readonly cache: CacheHint | null;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** The fields of a chat request; null where absent. */
export interface NativeFields {
  readonly temperature: unknown;
  readonly top_p: unknown;
  readonly max_tokens: unknown;
  readonly stop: readonly unknown[];
  readonly seed: unknown;
  readonly tool_choice: ToolChoice | null;
  /** `schema` is that of a JSON-schema mode. */
  readonly response_format: { readonly type: string; readonly schema: unknown } | null;
  readonly user: unknown;
}

export interface CacheHint {
  readonly type: unknown;
  readonly ttl: unknown;
}

export interface PlacedHint extends CacheHint {
  /** Such as `messages[2].content[0]`; empty for the body itself. */
  readonly place: string;
}

/** The texts among the parts as one: how a text is cut into blocks carries no meaning. */
export function textOf({ parts }: Pick<Turn, 'parts'>): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

export function mediaOf({ parts }: Pick<Turn, 'parts'>): MediaPart[] {
  return parts.filter((part) => part.kind === 'media');
}
