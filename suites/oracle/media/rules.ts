import type { FieldForm, MediaField } from './fields.ts';
import type { MediaModel } from './models.ts';

/** The kind of value that a case sends in a field; also the aspect of its violation. */
export const fieldAspects = [
  'accepts-legal',
  'required',
  'type',
  'outside',
  'spelling',
  'no-link',
  'too-many',
  'clean-either-way',
] as const;
export type FieldAspect = (typeof fieldAspects)[number];

/** The requirement and the aspect that a case tests. */
export interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/**
 * The requirement that a case about one field belongs to. If there is one for this kind of fault on all models of
 * its kind, it is that one. Otherwise it is the field's own.
 */
export function ruleOf(model: MediaModel, field: MediaField, aspect: FieldAspect, value?: unknown): Rule {
  return { requirement: generalRow(model, field, aspect, value) ?? field.row, aspect };
}

function generalRow(
  model: MediaModel,
  field: MediaField,
  aspect: FieldAspect,
  value: unknown,
): string | null {
  if (model.endpoint === 'images') return imageRow(field, aspect);
  if (model.medium === 'video') return videoRow(field, aspect, value);
  return model.medium === 'audio' ? audioRow(model, field, aspect, value) : null;
}

function imageRow({ name, form }: MediaField, aspect: FieldAspect): string | null {
  switch (aspect) {
    case 'required':
      return name === 'prompt' ? 'IMG-006' : null;
    case 'type':
      return name === 'prompt' ? 'IMG-007' : name === 'n' ? 'IMG-010' : 'IMG-029';
    case 'spelling':
      return 'IMG-031';
    case 'no-link':
      return isReference(form) ? 'IMG-026' : null;
    default:
      return null;
  }
}

function isReference(form: FieldForm): boolean {
  return form.kind === 'links' || (form.kind === 'link' && form.others === 'refused');
}

function videoRow({ name }: MediaField, aspect: FieldAspect, value: unknown): string | null {
  if (aspect === 'no-link') return 'VID-007';
  if (name !== 'duration') return null;
  if (aspect === 'type') return 'VID-002';
  return aspect === 'outside' && (value === 4 || value === 6 || value === 8) ? 'VID-003' : null;
}

/**
 * The requirement about seconds that the shared table allows and some model does not, or the reverse (AUD-002).
 */
function audioRow(
  { id }: MediaModel,
  { name }: MediaField,
  aspect: FieldAspect,
  value: unknown,
): string | null {
  if (name !== 'duration' || id !== 'voice-music') return null;
  if (aspect === 'outside' && Number(value) > 120 && Number(value) <= 240) return 'AUD-002';
  return aspect === 'accepts-legal' && Number(value) < 30 ? 'AUD-002' : null;
}

/** The rule about a field that no model lists: the model's own if it has one, else the endpoint's. */
export function unknownRule({ id, endpoint, row }: MediaModel): Rule {
  const isOwn = id === 'song-v5' || id === 'voice-v3';
  const general = endpoint === 'images' ? 'IMG-023' : 'TASK-004';
  return { requirement: isOwn ? row : general, aspect: 'unknown-refused' };
}

/** The rule about a field that only other models list. */
export function foreignRule({ endpoint }: MediaModel): Rule {
  return { requirement: endpoint === 'images' ? 'IMG-022' : 'TASK-005', aspect: 'foreign-refused' };
}

/** The rules about webhook_url. */
export function webhookRule({ id, endpoint }: MediaModel, verdict: 'accept' | 'refuse'): Rule {
  const rows =
    endpoint === 'images'
      ? { accept: 'IMG-024', refuse: 'IMG-025' }
      : { accept: 'TASK-007', refuse: 'TASK-008' };
  const requirement = id === 'song-v5' ? 'SONG-007' : rows[verdict];
  return { requirement, aspect: verdict === 'accept' ? 'webhook-accepted' : 'webhook-refused' };
}
