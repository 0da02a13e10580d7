import { expect, it } from 'vitest';
import { mediaBody } from '../../testing/media-bodies.ts';
import {
  type FieldRow,
  faultsOf,
  noFlag,
  noInt,
  noText,
  noUrl,
  parseBody,
  refusedFor,
  required,
  urls,
} from '../../testing/media-fields.ts';

const wave = '\u{1f30a}';
const prompt = (model: string): FieldRow => ({
  model,
  field: 'prompt',
  whenLeftOut: required,
  taken: ['x', 'a'.repeat(4000), wave.repeat(4000), '\n'],
  refused: [...noText, '', 'a'.repeat(4001), wave.repeat(4001)],
});
const oneOf = (
  model: string,
  field: string,
  whenLeftOut: string,
  taken: readonly string[],
  refused: readonly unknown[],
): FieldRow => ({
  model,
  field,
  whenLeftOut,
  taken: [whenLeftOut, ...taken],
  refused: [...refused, ...noText, '', `${whenLeftOut} `],
});
const n = (model: string): FieldRow => ({
  model,
  field: 'n',
  whenLeftOut: 1,
  taken: [1, 2, 3, 4],
  refused: [...noInt, 0, 5, -1, 1e30],
});
const seed = (model: string): FieldRow => ({
  model,
  field: 'seed',
  whenLeftOut: undefined,
  taken: [0, 1, -1, 42, 2 ** 53 - 1, -(2 ** 53 - 1)],
  refused: [...noInt, 1e30],
});
const flag = (model: string, field: string): FieldRow => ({
  model,
  field,
  whenLeftOut: false,
  taken: [true, false],
  refused: noFlag,
});
const six = ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'];
const five = ['1:1', '16:9', '9:16', '4:3', '3:4'];
const noRatio = ['16:10', '2:3', '16x9', '16:09'];

const rows: readonly FieldRow[] = [
  prompt('alpha-image-2'),
  oneOf(
    'alpha-image-2',
    'size',
    '1024x1024',
    ['1536x1024', '1024x1536', 'auto'],
    ['1024x1792', '1792x1024', '512x512', 'AUTO', '2K'],
  ),
  oneOf('alpha-image-2', 'quality', 'auto', ['low', 'medium', 'high'], ['standard', 'hd', 'High', 'Auto']),
  n('alpha-image-2'),
  oneOf('alpha-image-2', 'response_format', 'url', ['b64_json'], ['base64', 'URL', 'b64']),
  prompt('gamma-3-pro-image'),
  oneOf('gamma-3-pro-image', 'aspect_ratio', '1:1', six, noRatio),
  n('gamma-3-pro-image'),
  seed('gamma-3-pro-image'),
  prompt('kontext-pro'),
  oneOf('kontext-pro', 'aspect_ratio', '1:1', six, noRatio),
  flag('kontext-pro', 'prompt_upsampling'),
  seed('kontext-pro'),
  {
    model: 'kontext-pro',
    field: 'reference_image_url',
    whenLeftOut: undefined,
    taken: urls,
    refused: [...noUrl, 'data:image/png;base64,AAAA'],
  },
  prompt('kontext-max'),
  oneOf('kontext-max', 'aspect_ratio', '1:1', six, noRatio),
  {
    model: 'kontext-max',
    field: 'reference_image_url',
    whenLeftOut: undefined,
    taken: urls,
    refused: noUrl,
  },
  seed('kontext-max'),
  prompt('motion-gen4-image'),
  oneOf('motion-gen4-image', 'aspect_ratio', '16:9', five, [...noRatio, '21:9']),
  {
    model: 'motion-gen4-image',
    field: 'reference_images',
    whenLeftOut: undefined,
    taken: [[], [urls[0]], [urls[0], urls[0]], [...urls]],
    refused: [5, true, {}, urls[0], [...urls, urls[0]], ...noUrl.map((url) => [urls[0], url]), [null]],
  },
  seed('motion-gen4-image'),
  prompt('dream-4-0'),
  oneOf('dream-4-0', 'size', '2K', ['1K', '4K'], ['1024x1024', '2k', '8K', '2']),
  oneOf('dream-4-0', 'aspect_ratio', '1:1', five, [...noRatio, '21:9']),
  flag('dream-4-0', 'watermark'),
  prompt('edit-image'),
  {
    model: 'edit-image',
    field: 'image_url',
    whenLeftOut: required,
    taken: urls,
    refused: [...noUrl, 'data:image/png;base64,AAAA'],
  },
  prompt('vector-v3'),
  {
    model: 'vector-v3',
    field: 'style',
    whenLeftOut: undefined,
    taken: ['digital-illustration', 'x'],
    refused: [...noText, ''],
  },
];

it.for(rows.map((row) => [row.model, row.field, row] as const))(
  '%s takes and refuses in %s what its table says, and fills in what is left out',
  ([, , row]) => {
    expect(faultsOf(row)).toEqual([]);
  },
);

const fieldsByModel = Map.groupBy(rows, ({ model }) => model);

it.for([...fieldsByModel.keys()])('%s refuses every field of other models and every shared one', (model) => {
  const own = new Set(fieldsByModel.get(model)?.map(({ field }) => field));
  const others = [...rows.map(({ field }) => field), 'user', 'size', 'duration', 'action', 'index', 'audio'];
  for (const field of new Set(others.filter((one) => !own.has(one))))
    expect([field, refusedFor(mediaBody(model, { [field]: 'auto' }))]).toEqual([field, field]);
});

it('sends a long seed on with its digits', () => {
  const { fields } = parseBody('{"model":"kontext-max","prompt":"x","seed":9007199254740993}');
  expect(JSON.stringify(fields)).toContain('"seed":9007199254740993');
});
