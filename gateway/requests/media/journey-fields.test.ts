import { describe, expect, it } from 'vitest';
import {
  type FieldRow,
  faultsOf,
  noFlag,
  noInt,
  noText,
  parseBody,
  refusedFor,
  required,
} from '../../testing/media-fields.ts';

const model = 'journey-v7';
const range = (field: string, max: number, whenLeftOut: number): FieldRow => ({
  model,
  field,
  whenLeftOut,
  taken: [0, 1, max - 1, max],
  refused: [...noInt, -1, max + 1],
});
const step = (action: string) => ({ model, action, parent_task_id: 'task_1' });

describe('the first step', () => {
  const rows: readonly FieldRow[] = [
    {
      model,
      field: 'prompt',
      whenLeftOut: required,
      taken: ['x', 'a'.repeat(4000)],
      refused: [...noText, '', 'a'.repeat(4001)],
    },
    {
      model,
      field: 'aspect_ratio',
      whenLeftOut: undefined,
      taken: ['1:1', '7:5', '16:9', '9999:1'],
      refused: [
        ...noText,
        '',
        'abc',
        '0:1',
        '1:0',
        '1.5:1',
        '1:',
        ':1',
        '01:1',
        '10000:1',
        '7:5 ',
        '7x5',
        '1:1:1',
      ],
    },
    range('stylize', 1000, 100),
    range('weird', 3000, 0),
    range('chaos', 100, 0),
    { model, field: 'tile', whenLeftOut: false, taken: [true, false], refused: noFlag },
  ];

  it.for(rows.map((row) => [row.field, row] as const))(
    'takes and refuses in %s what its table says',
    ([, row]) => {
      expect(faultsOf(row)).toEqual([]);
      expect(faultsOf({ ...row, body: { action: 'imagine' } })).toEqual([]);
    },
  );

  it('is what a body without an action means', () => {
    const { action, parents, fields } = parseBody({ model, prompt: 'x', action: null });
    expect({ action, parents, fields }).toEqual({
      action: 'imagine',
      parents: [],
      fields: { prompt: 'x', stylize: 100, weird: 0, chaos: 0, tile: false },
    });
  });

  it.for(['parent_task_id', 'index', 'n', 'seed', 'size', 'parent_task_ids'])('has no %s', (field) => {
    expect(refusedFor({ model, prompt: 'x', [field]: 1 })).toBe(field);
  });
});

it.for(['', 'IMAGINE', 'zoom', 'extend', 5, true, [], {}])(
  'refuses the action %j before all else',
  (action) => {
    expect(refusedFor({ model, parent_task_id: 'task_1', nonsense: 1, action })).toBe('action');
  },
);

describe.for(['upscale', 'variation'])('%s', (action) => {
  it('takes an index from 1 to 4 and nothing of the first step', () => {
    for (const index of [1, 2, 3, 4])
      expect(parseBody({ ...step(action), index })).toMatchObject({
        action,
        fields: { index },
        parents: [{ taskId: 'task_1', param: 'parent_task_id' }],
      });
    for (const index of [...noInt, 0, 5, -1]) expect(refusedFor({ ...step(action), index })).toBe('index');
    for (const field of ['prompt', 'stylize', 'weird', 'chaos', 'tile', 'aspect_ratio', 'image_url', 'n'])
      expect(refusedFor({ ...step(action), index: 1, [field]: 1 })).toBe(field);
  });

  it('needs both its parent and its index', () => {
    expect(refusedFor(step(action))).toBe('index');
    expect(refusedFor({ ...step(action), index: null })).toBe('index');
    expect(refusedFor({ model, action, index: 1 })).toBe('parent_task_id');
    for (const parent of [...noText, '', null])
      expect(refusedFor({ model, action, index: 1, parent_task_id: parent })).toBe('parent_task_id');
  });
});

describe('reroll', () => {
  it('takes its parent alone', () => {
    expect(parseBody(step('reroll'))).toMatchObject({ action: 'reroll', fields: {} });
    expect(refusedFor({ model, action: 'reroll' })).toBe('parent_task_id');
    for (const field of ['index', 'prompt', 'stylize', 'chaos', 'aspect_ratio'])
      expect(refusedFor({ ...step('reroll'), [field]: 1 })).toBe(field);
  });
});
