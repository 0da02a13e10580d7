import type { Dialect } from '../../profile/dialects.ts';
/**
 * A chat request at an upstream, in one form for all native dialects, for comparison with the caller's. It ignores
 * differences in notation: absent or empty lists, the place of system text, and the turns of tool results.
 */
export interface NativeView {
  readonly dialect: Dialect;
  /** The upstream's name of the requested model. */
  readonly model: string | null;
  readonly stream: boolean;
  /** High-level instructions, one part for each block, without the turns. */
  readonly system: readonly Part[];
  /** The conversation without system turns. Each tool result is a separate turn. */
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolView[];
  readonly fields: NativeFields;
  /** Every cache hint of the body with its place. */
  readonly hints: readonly PlacedHint[];
}

export interface Turn {
  readonly role: string;
  readonly parts: readonly Part[];
  readonly calls: readonly Call[];
  /** The result of a tool; only in turns of role `tool`. */
  readonly result: Result | null;
}

export type Part = TextPart | MediaPart | OtherPart;

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly cache: CacheHint | null;
}

/** An image or another medium: either its bytes or its URL. */
export interface MediaPart {
  readonly kind: 'media';
  /** The native name of the block, such as `image_url`, `document`, `inlineData`. */
  readonly block: string;
  readonly mime: string | null;
  readonly base64: string | null;
  readonly url: string | null;
  readonly cache: CacheHint | null;
}

/** A block that no dialect of a chat request should contain. */
export interface OtherPart {
  readonly kind: 'other';
  readonly raw: unknown;
  readonly cache: CacheHint | null;
}

export interface Call {
  readonly id: string | null;
  readonly name: string;
  /** The JSON value, with exact numbers. */
  readonly arguments: unknown;
  readonly cache: CacheHint | null;
}

export interface Result {
  /** The id of the call; null in dialects without ids. */
  readonly callId: string | null;
  /** The name of the function; null in dialects without it. */
  readonly name: string | null;
  /** A text, or the object in which the dialect puts it. */
  readonly value: unknown;
  readonly cache: CacheHint | null;
}

export interface ToolView {
  readonly name: string;
  readonly description: string | null;
  readonly parameters: unknown;
  /** The schema language: JSON Schema, or the dialect's own with other and fewer keywords. */
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
  /** `schema` belongs to a JSON-schema mode. */
  readonly response_format: { readonly type: string; readonly schema: unknown } | null;
  readonly user: unknown;
}

export interface CacheHint {
  readonly type: unknown;
  readonly ttl: unknown;
}

export interface PlacedHint extends CacheHint {
  /** A path such as `messages[2].content[0]`; empty for the body itself. */
  readonly place: string;
}

/** The texts among the parts as one. How a text is split into blocks has no meaning. */
export function textOf({ parts }: Pick<Turn, 'parts'>): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

export function mediaOf({ parts }: Pick<Turn, 'parts'>): MediaPart[] {
  return parts.filter((part) => part.kind === 'media');
}
