import type { BodyField } from './body-field.ts';
import type { Place } from './body-tree.ts';
import type { KnownValues } from './known-values.ts';

/** A body as a tree, before it is printed. */
export type Body = Readonly<Record<string, unknown>>;

/** The endpoints of the specification, by what they are called in tables. */
export const endpoints = ['chat', 'messages', 'generate', 'images', 'tasks', 'task read', 'models'] as const;
export type Endpoint = (typeof endpoints)[number];

/** A request before the key and the address are known. */
export interface DraftRequest {
  readonly method: string;
  /** Appended to the base URL as text; `keyPlace` says whether the key stands in its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Stands for the key of the caller in a draft, where the draft keeps its place. */
export const keySlot = 'sk-app-key-of-the-caller';

/** One endpoint with one model: what is legal there, and what its fields are. */
export interface Subject {
  readonly endpoint: Endpoint;
  /** Null where no model is asked. */
  readonly model: string | null;
  readonly fields: readonly BodyField[];
  /** The smallest legal body; null for a request without one. */
  readonly least: Body | null;
  /** Legal bodies that have every field between them. */
  readonly whole: readonly Body[];
  /** A legal body that a seed draws. */
  draw(seed: number): Body;
  readonly known: KnownValues;
  /** Whether the endpoint streams when asked. */
  readonly streams: boolean;
  request(body: Buffer, stream: boolean): DraftRequest;
  /** What makes any request certainly refused before it costs something, wherever else it is damaged. */
  sureFault(damaged: Place): (body: Body) => Body;
}
