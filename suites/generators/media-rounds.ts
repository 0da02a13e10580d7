import { fieldsOf, type MediaField } from '../oracle/media/fields.ts';
import type { MediaModel } from '../oracle/media/models.ts';
import type { Rng } from '../values/seed.ts';
import { type MediaInputs, sendable, smallestBody, upstreamsOwn, valueSourcesOf } from './media-cells.ts';
import type { FormValue } from './media-values.ts';

/** A legal request that sets many fields at once. */
export interface MediaRound {
  readonly model: MediaModel;
  /** Distinguishes the rounds of a model, also in the upstream's journal. */
  readonly tag: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly model: string };
}

/**
 * A few legal requests that together contain every member and boundary of every field. The first has only the required
 * fields, so that each default shows once. Each later one takes the next value of every field.
 */
export function legalRounds(model: MediaModel, inputs: MediaInputs): MediaRound[] {
  const fields = fieldsOf(model.id);
  const lists = fields.map((field) => coreValues(field, inputs, '').length);
  const smallest = { model, tag: 'r0', body: smallestBody(model, inputs, 'r0') };
  const others = Array.from({ length: Math.max(...lists) }, (_, turn): MediaRound => {
    const tag = `r${turn + 1}`;
    // A field whose file the deployment does not declare has no value to send.
    const members = fields.flatMap((field) => {
      const values = coreValues(field, inputs, tag);
      return values.length === 0 ? [] : [[field.name, values[turn % values.length]]];
    });
    const webhook = turn === 0 ? { webhook_url: inputs.webhookUrl } : {};
    return { model, tag, body: { model: model.id, ...Object.fromEntries(members), ...webhook } };
  });
  return [smallest, ...others];
}

/** Legal requests with all fields but one: a default shows beside every other field, not only alone. */
export function roundsWithout(model: MediaModel, inputs: MediaInputs): MediaRound[] {
  const optional = fieldsOf(model.id).filter(({ required }) => !required);
  if (optional.length < 2) return [];
  return optional.map(({ name }): MediaRound => {
    const tag = `w${name}`;
    const members = fieldsOf(model.id).flatMap((field) => {
      const [value] = field.name === name ? [] : coreValues(field, inputs, tag);
      return value === undefined ? [] : [[field.name, value]];
    });
    return { model, tag, body: { model: model.id, ...Object.fromEntries(members) } };
  });
}

/** A random legal request: each optional field is present or not, with any legal value of its form. */
export function drawnRound(model: MediaModel, inputs: MediaInputs, tag: string, rng: Rng): MediaRound {
  const members = fieldsOf(model.id).flatMap((field) => {
    if (!field.required && rng.int(2) !== 0) return [];
    const value = drawnValue(field, inputs, tag, rng);
    return value === undefined ? [] : [[field.name, value]];
  });
  return { model, tag, body: { model: model.id, ...Object.fromEntries(members) } };
}

/** A legal request in which no field has its default: a default in place of a sent value shows. */
export function unusualRound(model: MediaModel, inputs: MediaInputs, tag: string, rng: Rng): MediaRound {
  const members = fieldsOf(model.id).flatMap((field) => {
    const values = legalValues(field, inputs, tag).map(({ value }) => value);
    const unusual = values.filter((value) => value !== field.default);
    return unusual.length === 0 ? [] : [[field.name, rng.pick(unusual)]];
  });
  return { model, tag, body: { model: model.id, ...Object.fromEntries(members) } };
}

function drawnValue(field: MediaField, inputs: MediaInputs, tag: string, rng: Rng): unknown {
  const { form } = field;
  if (form.kind === 'integer') {
    const { from = 0, to = 2_147_483_647 } = form;
    return from + rng.int(to - from + 1);
  }
  if (form.kind === 'number')
    return Math.round(form.from * 1000 + rng.int((form.to - form.from) * 1000 + 1)) / 1000;
  const values = legalValues(field, inputs, tag).map(({ value }) => value);
  return values.length === 0 ? undefined : rng.pick(values);
}

function coreValues(field: MediaField, inputs: MediaInputs, tag: string): unknown[] {
  return legalValues(field, inputs, tag).flatMap(({ value, core }) => (core ? [value] : []));
}

function legalValues(
  field: MediaField,
  inputs: MediaInputs,
  tag: string,
): readonly Pick<FormValue, 'value' | 'core'>[] {
  const own = upstreamsOwn(field, inputs);
  if (own !== undefined) return [{ value: own, core: true }];
  const values = sendable(field.form, valueSourcesOf(inputs, tag, field.name));
  return values.filter(({ verdict }) => verdict === 'accept');
}
