import type { Rng } from '../../values/seed.ts';
import type { BodyField, Form } from '../grammar/body-field.ts';
import { type Place, withValue } from '../grammar/body-tree.ts';
import type { Certainty, KnownValues } from '../grammar/known-values.ts';
import { RawBytes } from '../grammar/raw-json.ts';

/** A field of a legal body that is about to be damaged. */
export interface DamageAt {
  readonly body: unknown;
  readonly place: Place;
  readonly field: BodyField;
  /** What stands there now. */
  readonly value: unknown;
  readonly known: KnownValues;
  readonly rng: Rng;
}

/** A body with one fault, and what is certain about its refusal. */
export interface Damaged {
  readonly body: unknown;
  /** Whether the specification certainly refuses it. */
  readonly certainty: Certainty;
  /** Whether a refusal must name the field; false when no parser can know the field. */
  readonly isNamed: boolean;
  /** Whether an upstream may fetch this link from a private network. Deployments that declare guards refuse it. */
  readonly isPrivateLink?: true;
}

/** A damaged body with its damaged places. */
export interface PlacedDamage extends Damaged {
  readonly places: readonly Place[];
}

/** One kind of damage. */
export interface Damage {
  readonly kind: string;
  readonly fits: (field: BodyField) => boolean;
  /** Returns null when the current value cannot be damaged this way. */
  readonly apply: (at: DamageAt) => Damaged | null;
}

/** Whether a field accepts one of these forms. */
export const takes =
  (...forms: readonly Form[]) =>
  ({ forms: own }: BodyField): boolean =>
    forms.some((form) => own.has(form));

export const anyField = (): boolean => true;

/** The body with another value in place of the legal one. */
export function put({ body, place, field, known }: DamageAt, value: unknown): Damaged {
  const isJson = !(value instanceof RawBytes) || value.type !== null;
  return {
    body: withValue(body, place, value),
    certainty: known.certaintyOf(field, value),
    isNamed: isJson,
  };
}

/** Damage that puts another value in the place. */
export function replacing(kind: string, fits: Damage['fits'], value: (at: DamageAt) => unknown): Damage {
  return { kind, fits, apply: (at) => put(at, value(at)) };
}

/** Damage that puts one of several values in the place. */
export function oneOf(kind: string, fits: Damage['fits'], values: readonly unknown[]): Damage {
  return replacing(kind, fits, ({ rng }) => rng.pick(values));
}

/** A number written exactly as `text`, valid JSON or not. */
export const number = (text: string): RawBytes => new RawBytes(text, 'number');
export const noJson = (bytes: string | Buffer): RawBytes => new RawBytes(bytes, null);
