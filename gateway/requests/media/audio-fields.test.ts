import { expect, it } from 'vitest';
import { mediaBody } from '../../testing/media-bodies.ts';
import {
  type FieldRow,
  faultsOf,
  noFlag,
  noInt,
  noNumber,
  noText,
  parseBody,
  refusedFor,
  required,
} from '../../testing/media-fields.ts';

const model = 'voice-v3';
const share = (field: string, whenLeftOut: number): FieldRow => ({
  model,
  field,
  whenLeftOut,
  taken: [0, 1, 0.01, 0.123456789, 0.99],
  refused: [...noNumber, -0.01, 1.01, 2, -1],
});
const needed = (of: string, field: string): FieldRow => ({
  model: of,
  field,
  whenLeftOut: required,
  taken: ['x', 'Grüße\n'],
  refused: [...noText, ''],
});

const rows: readonly FieldRow[] = [
  needed(model, 'text'),
  needed(model, 'voice_id'),
  { model, field: 'model_id', whenLeftOut: 'voice_v3', taken: ['voice_v4'], refused: [...noText, ''] },
  share('stability', 0.5),
  share('style', 0.3),
  { model, field: 'use_speaker_boost', whenLeftOut: true, taken: [true, false], refused: noFlag },
  needed('voice-music', 'prompt'),
  {
    model: 'voice-music',
    field: 'duration',
    whenLeftOut: 30,
    taken: [10, 11, 119, 120],
    refused: [...noInt, 0, -1, 9, 121, 240],
  },
];

it.for(rows.map((row) => [row.model, row.field, row] as const))(
  '%s takes and refuses in %s what its table says, and fills in what is left out',
  ([, , row]) => {
    expect(faultsOf(row)).toEqual([]);
  },
);

it.for([
  ['voice-v3', ['prompt', 'duration', 'lyrics', 'instrumental', 'action', 'index', 'parent_task_id']],
  ['voice-music', ['text', 'voice_id', 'lyrics', 'instrumental', 'action', 'index', 'parent_task_id']],
] as const)('%s refuses every field of other models and every shared one', ([of, fields]) => {
  for (const field of fields) expect(refusedFor(mediaBody(of, { [field]: 'x' }))).toBe(field);
});

it('takes a whole number that is written with decimals', () => {
  expect(parseBody('{"model":"voice-music","prompt":"x","duration":60.0}').fields.duration).toBe(60);
  expect(parseBody('{"model":"voice-music","prompt":"x","duration":6e1}').fields.duration).toBe(60);
});
