import type { BodyField } from './body-field.ts';
import type { Place } from './body-tree.ts';
import type { KnownValues } from './known-values.ts';

/** A body as a tree, before it is printed. */
export type Body = Readonly<Record<string, unknown>>;

/** The endpoints of the specification, by their names in tables. */
export const endpoints = ['chat', 'messages', 'generate', 'images', 'tasks', 'task read', 'models'] as const;
export type Endpoint = (typeof endpoints)[number];

/** A request whose key and base URL are not filled in yet. */
export interface DraftRequest {
  readonly method: string;
  /** Appended to the base URL as text; may contain the key slot in its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Placeholder for the caller's key in a draft. */
export const keySlot = 'sk-app-key-of-the-caller';

/** One endpoint with one model: its legal bodies and its fields. */
export interface Subject {
  readonly endpoint: Endpoint;
  /** Null when the endpoint takes no model. */
  readonly model: string | null;
  readonly fields: readonly BodyField[];
  /** The smallest legal body; null for a request without a body. */
  readonly least: Body | null;
  /** Legal bodies that together have every field. */
  readonly whole: readonly Body[];
  /** A legal body that a seed draws. */
  draw(seed: number): Body;
  readonly known: KnownValues;
  /** Whether the endpoint can stream. */
  readonly streams: boolean;
  request(body: Buffer, stream: boolean): DraftRequest;
  /** Adds a fault that any request is certainly refused for before it costs something, outside the `damaged` place. */
  sureFault(damaged: Place): (body: Body) => Body;
}
