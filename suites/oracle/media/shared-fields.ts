import { type FieldForm, fieldsOf, type MediaField, mediaFields, stepFields } from './fields.ts';
import { type MediaModel, mediaModel, mediaModels } from './models.ts';

/**
 * Fields that a model does not list itself. A gateway may refuse or accept fields of a shared table ("Image request", "Video
 * shared fields", "Audio and music fields"; readings B-48, B-74, B-82, B-87). It must always refuse wrong values. Fields that
 * only other models list count as unknown.
 */

/** A field of a shared table. */
export interface SharedField extends MediaField {
  /** Values that a model must understand if it accepts the field. */
  readonly legal: readonly unknown[];
  /** Whether all other values of the right type are certainly wrong. */
  readonly closed: boolean;
}

const words = (...values: string[]): FieldForm => ({ kind: 'one-of', values });
const text: FieldForm = { kind: 'text' };

/** Builds a shared field. `legal` is empty where values contain the text or URL of their case. */
function shared(
  row: string,
  name: string,
  form: FieldForm,
  legal: readonly unknown[],
  closed = true,
): SharedField {
  return { name, form, required: false, row, legal, closed };
}

const imageShared: readonly SharedField[] = [
  shared('IMG-011', 'n', { kind: 'integer', from: 1, to: 4 }, [1, 2]),
  // The specification only calls these sizes common, so others may be valid (reading B-50).
  shared('IMG-014', 'size', words('1024x1024', '1024x1792', '1792x1024'), ['1024x1024'], false),
  shared('IMG-015', 'quality', words('standard', 'hd'), ['standard', 'hd'], false),
  shared('IMG-016', 'response_format', words('url', 'b64_json'), ['url', 'b64_json']),
  shared('IMG-017', 'user', text, ['u1']),
];

const videoShared: readonly SharedField[] = [
  shared('VID-001', 'prompt', text, []),
  shared('VID-002', 'duration', { kind: 'integer' }, [8, 5], false),
  // The register only permits this field (VID-004), so required refusals belong to the requirement on unlisted fields.
  shared('TASK-005', 'resolution', words('480p', '720p', '1080p'), ['720p', '1080p']),
  shared('VID-005', 'aspect_ratio', words('16:9', '9:16', '1:1'), ['16:9']),
  shared('VID-006', 'image', { kind: 'picture', byTask: false }, []),
];

const audioShared: readonly SharedField[] = [
  shared('AUD-001', 'prompt', text, []),
  shared('AUD-002', 'duration', { kind: 'integer' }, [60], false),
  shared('AUD-003', 'lyrics', text, ['We sail at dawn']),
  shared('AUD-004', 'instrumental', { kind: 'boolean' }, [true, false]),
];

/** The fields of the shared tables that a model may accept or refuse, because its own table lacks them. */
export function openFieldsOf(model: MediaModel): readonly SharedField[] {
  const listed = listedNames(model.id);
  return sharedTablesOf(model).filter(({ name }) => !listed.has(name));
}

function sharedTablesOf({ id, medium }: MediaModel): readonly SharedField[] {
  switch (medium) {
    case 'image':
      return imageShared;
    case 'video':
      return videoShared;
    case 'audio':
      // It makes video, but is listed under audio (reading B-88).
      return id === 'motion-act-two' ? [...audioShared, ...ofVideoAlone] : audioShared;
  }
}

const ofVideoAlone = videoShared.filter(({ name }) => audioShared.every((field) => field.name !== name));

/** A field as another model lists it. */
export interface ForeignField {
  readonly name: string;
  readonly form: FieldForm;
}

/**
 * Fields that only other models of the same endpoint list. An image model is compared with all image models.
 * Fields of later steps come as text.
 */
export function foreignFieldsOf(model: MediaModel): readonly ForeignField[] {
  const known = listedNames(model.id);
  for (const { name } of sharedTablesOf(model)) known.add(name);
  const found = new Map<string, FieldForm>();
  for (const other of mediaModels.filter((one) => areCompared(model, one))) {
    for (const { name, form } of fieldsOf(other.id)) {
      if (!known.has(name) && !found.has(name)) found.set(name, form);
    }
  }
  if (model.endpoint === 'tasks')
    for (const name of stepFields) if (!known.has(name)) found.set(name, { kind: 'text' });
  return [...found].map(([name, form]) => ({ name, form }));
}

function areCompared(model: MediaModel, other: MediaModel): boolean {
  return model.endpoint === 'images' ? other.medium === 'image' : other.endpoint === 'tasks';
}

/** Everything that a model lists, including its own steps and the fields of every model. */
export function listedNames(id: string): Set<string> {
  const names = new Set(['model', 'webhook_url', ...fieldsOf(id).map(({ name }) => name)]);
  if (id === 'journey-v7') for (const name of stepFields) names.add(name);
  if (id === 'song-v5') for (const name of ['action', 'parent_task_id']) names.add(name);
  return names;
}

/** Every field name in any table. */
export function everyFieldName(): Set<string> {
  const tables = Object.values(mediaFields).flat();
  return new Set([
    'model',
    'webhook_url',
    ...stepFields,
    ...[...tables, ...imageShared, ...videoShared, ...audioShared].map(({ name }) => name),
  ]);
}

/**
 * The table's entry for a field of a model.
 * @throws Error when the model lists no such field.
 */
export function fieldOf(model: string, name: string): MediaField {
  const field = fieldsOf(model).find((one) => one.name === name);
  if (field === undefined || mediaModel(model) === undefined) throw new Error(`${model} lists no ${name}`);
  return field;
}
