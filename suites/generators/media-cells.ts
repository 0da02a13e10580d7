import { absent, JsonText } from '../oracle/json-text.ts';
import { type FieldForm, fieldsOf, type MediaField, type Medium } from '../oracle/media/fields.ts';
import type { MediaModel } from '../oracle/media/models.ts';
import { foreignRule, type Rule, ruleOf, unknownRule, webhookRule } from '../oracle/media/rules.ts';
import { foreignFieldsOf, openFieldsOf, type SharedField } from '../oracle/media/shared-fields.ts';
import {
  type FormValue,
  legalValue,
  type ValueSources,
  type ValueVerdict,
  valuesOf,
} from './media-values.ts';
import { unknownNamesOf } from './unknown-field-name.ts';

/** The inputs that all cells of a model share; the tag varies. */
export interface MediaInputs {
  /** A prompt by which the upstream's journal finds the scene, and within it the case. */
  readonly prompt: (tag: string) => string;
  readonly link: (medium: Medium, tag: string) => string;
  /** Whether there is an input file of a medium. Otherwise `link` must not be called. */
  readonly hasFile: (medium: Medium) => boolean;
  /** A voice that the deployment has. */
  readonly voiceId: string;
  readonly styleId: string;
  /** An https URL to which events may be sent. */
  readonly webhookUrl: string;
}

/** One difference from the smallest legal body, and the expected outcome. */
export interface MediaCell extends Rule {
  readonly model: string;
  readonly field: string;
  readonly value: unknown;
  readonly verdict: ValueVerdict;
  /** Describes the difference in the report. */
  readonly why: string;
  /** Sent in every run; a quick run draws some of the others. */
  readonly core: boolean;
  /** Distinguishes the cells of a model. */
  readonly tag: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Draft = Omit<MediaCell, 'model' | 'why' | 'tag' | 'body'>;

/**
 * All cells of a model: its own fields, shared fields that it does not list, fields of others, and unknown
 * fields.
 */
export function mediaCells(model: MediaModel, inputs: MediaInputs): MediaCell[] {
  const sources = valueSourcesOf(inputs, slot);
  const drafts = [
    ...fieldsOf(model.id).flatMap((field) => fieldDrafts(model, field, inputs, sources)),
    ...openFieldsOf(model).flatMap((field) => openDrafts(field, sources)),
    ...foreignDrafts(model, sources),
    ...unknownDrafts(model),
    ...webhookDrafts(model, inputs.webhookUrl),
  ];
  return drafts.map((draft, place) => cellOf(model, draft, inputs, `c${place}`));
}

/** A placeholder in values for the tag of their cell, until it is known. */
const slot = 'tag-of-the-cell';

/** A value with the tag of its cell, by which the upstream's journal finds it. */
function tagged(value: unknown, tag: string): unknown {
  if (typeof value === 'string') return value.replaceAll(slot, tag);
  if (Array.isArray(value)) return value.map((item) => tagged(item, tag));
  if (value === null || typeof value !== 'object' || value instanceof JsonText) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tagged(inner, tag)]));
}

/** The smallest legal body of a model: its required fields. */
export function smallestBody(
  model: MediaModel,
  inputs: MediaInputs,
  tag: string,
): Record<string, unknown> & { model: string } {
  const needed = fieldsOf(model.id).filter((field) => field.required);
  return {
    model: model.id,
    ...Object.fromEntries(needed.map((field) => [field.name, legalOf(field, inputs, tag)])),
  };
}

/** A legal value of a field on this deployment. */
function legalOf(field: MediaField, inputs: MediaInputs, tag: string): unknown {
  return upstreamsOwn(field, inputs) ?? legalValue(field.form, valueSourcesOf(inputs, tag, field.name));
}

/** Values of fields whose set only the upstream knows: those that the deployment declares, or a default. */
export function upstreamsOwn({ name, form, default: preset }: MediaField, inputs: MediaInputs): unknown {
  if (form.kind !== 'text') return undefined;
  if (name === 'voice_id') return inputs.voiceId;
  if (name === 'style') return inputs.styleId;
  return name === 'model_id' ? preset : undefined;
}

/** Where the values of a case come from. With a field, its texts and links differ from those of the other fields. */
export function valueSourcesOf(inputs: MediaInputs, tag: string, field?: string): ValueSources {
  const place = field === undefined ? tag : `${tag}/${field}`;
  const prompt = inputs.prompt(tag);
  const text = field === undefined || field === 'prompt' ? prompt : `${field}: ${prompt}`;
  return { text, link: (medium) => (inputs.hasFile(medium) ? inputs.link(medium, place) : nobodysFile) };
}

/** A URL for values that are refused before the file is fetched. */
const nobodysFile = 'https://media.example.com/nobody/sea';

/** The values of a field that can be sent to this deployment: when a file is missing, only values that must be refused. */
export function sendable(form: FieldForm, sources: ValueSources): readonly FormValue[] {
  const isNobodys = (value: unknown): boolean =>
    String(JSON.stringify(value)).includes(nobodysFile.replace('https:', ''));
  return valuesOf(form, sources).filter(({ value, verdict }) => verdict === 'refuse' || !isNobodys(value));
}

function cellOf(model: MediaModel, draft: Draft, inputs: MediaInputs, tag: string): MediaCell {
  const { [draft.field]: _, ...rest } = smallestBody(model, inputs, tag);
  // From entries, so that a field named __proto__ becomes an own member.
  const members = Object.entries(rest);
  const value = tagged(draft.value, tag);
  if (value !== absent) members.push([draft.field, value]);
  const shown = value === absent ? 'left out' : JSON.stringify(value);
  const why = `${draft.field} ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`;
  return { ...draft, value, model: model.id, why, tag, body: Object.fromEntries(members) };
}

function fieldDrafts(
  model: MediaModel,
  field: MediaField,
  inputs: MediaInputs,
  sources: ValueSources,
): Draft[] {
  const values = sendable(field.form, sources).filter(({ value }) => !isOpenHere(field, value));
  const drafts = values.map((value): Draft => {
    const aspect = value.fault ?? (value.verdict === 'accept' ? 'accepts-legal' : 'clean-either-way');
    const { verdict, core } = closer(field, inputs, value);
    return {
      ...ruleOf(model, field, aspect, value.value),
      field: field.name,
      value: value.value,
      verdict,
      core,
    };
  });
  if (!field.required) return drafts;
  const required = {
    ...ruleOf(model, field, 'required'),
    field: field.name,
    verdict: 'refuse',
    core: true,
  } as const;
  return [{ ...required, value: absent }, { ...required, value: null }, ...drafts];
}

/** A separate cell covers null for a required field, which is clearly invalid. */
function isOpenHere(field: MediaField, value: unknown): boolean {
  return field.required && value === null;
}

/** Where only the upstream knows the set, only the values that the deployment declares are surely legal. */
function closer(field: MediaField, inputs: MediaInputs, value: FormValue): FormValue {
  return upstreamsOwn(field, inputs) !== undefined && value.verdict === 'accept'
    ? { ...value, verdict: 'either', core: false }
    : value;
}

/** Legal values of a shared field that the model does not list may pass or not. Wrong values never pass. */
function openDrafts(field: SharedField, sources: ValueSources): Draft[] {
  const own = sendable(field.form, sources);
  const legal = field.legal.length > 0 ? field.legal : own.filter(isAccepted).map(({ value }) => value);
  const wrong = own.filter(({ fault }) => fault === 'type' || (field.closed && fault === 'outside'));
  const { name, row: requirement } = field;
  return [
    ...legal.map(
      (value): Draft => ({
        requirement,
        aspect: 'clean-either-way',
        field: name,
        value,
        verdict: 'either',
        core: true,
      }),
    ),
    ...wrong.map(
      ({ value, fault = 'type' }, index): Draft => ({
        requirement,
        aspect: fault,
        field: name,
        value,
        verdict: 'refuse',
        core: index === wrong.findIndex((one) => one.fault === fault),
      }),
    ),
  ];
}

function isAccepted({ verdict }: FormValue): boolean {
  return verdict === 'accept';
}

/** A legal value of another model's field, so that only the field is wrong. */
function foreignDrafts(model: MediaModel, sources: ValueSources): Draft[] {
  return foreignFieldsOf(model).map(({ name, form }) => ({
    ...foreignRule(model),
    field: name,
    value: legalValue(form, sources),
    verdict: 'refuse',
    core: true,
  }));
}

function unknownDrafts(model: MediaModel): Draft[] {
  return unknownNamesOf(model.id).map((field, index) => ({
    ...unknownRule(model),
    field,
    value: [1, 'x', true, null, { a: 1 }][index % 5],
    verdict: 'refuse',
    core: index < 4,
  }));
}

function webhookDrafts(model: MediaModel, webhookUrl: string): Draft[] {
  const wrong = [
    'http://hooks.example.com/x',
    'not a url',
    5,
    '',
    'ftp://hooks.example.com/x',
    '/x',
    'data:text/plain,x',
    true,
    {},
    [webhookUrl],
    'https://',
    'javascript:alert(1)',
  ];
  const field = 'webhook_url';
  return [
    { ...webhookRule(model, 'accept'), field, value: webhookUrl, verdict: 'accept', core: true },
    ...wrong.map(
      (value, index): Draft => ({
        ...webhookRule(model, 'refuse'),
        field,
        value,
        verdict: 'refuse',
        core: index < 4,
      }),
    ),
  ];
}
