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

/** A body with one fault. */
export interface Damaged {
  readonly body: unknown;
  /** Whether the text refuses it for certain. */
  readonly certainty: Certainty;
  /** Whether a refusal has to name the field: not where no parser can know it. */
  readonly isNamed: boolean;
  /** Where an upstream may fetch it from a private network: what a deployment that declares guards refuses. */
  readonly isPrivateLink?: true;
}

/** A damaged body that knows where. */
export interface PlacedDamage extends Damaged {
  readonly places: readonly Place[];
}

/** One kind of damage. */
export interface Damage {
  readonly kind: string;
  readonly fits: (field: BodyField) => boolean;
  /** Null where the value that stands there cannot be damaged so. */
  readonly apply: (at: DamageAt) => Damaged | null;
}

/** Whether a field takes one of these forms. */
export const takes =
  (...forms: readonly Form[]) =>
  ({ forms: own }: BodyField): boolean =>
    forms.some((form) => own.has(form));

export const anyField = (): boolean => true;

/** The body with another value in place of the one that was right. */
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

/** A number as JSON or as no JSON, by its text. */
export const number = (text: string): RawBytes => new RawBytes(text, 'number');
export const noJson = (bytes: string | Buffer): RawBytes => new RawBytes(bytes, null);
