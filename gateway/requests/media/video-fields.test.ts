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

const directed = '[Pan Right, Zoom In] the sea [Static], then [tracking shot] and [Nobody Knows]';
const pixel = 'data:image/png;base64,iVBORw0KGgo=';

const prompt = (model: string): FieldRow => ({
  model,
  field: 'prompt',
  whenLeftOut: required,
  taken: ['x', 'a'.repeat(4001), directed],
  refused: [...noText, ''],
});
const duration = (model: string, whenLeftOut: number, others: readonly number[]): FieldRow => ({
  model,
  field: 'duration',
  whenLeftOut,
  taken: [whenLeftOut, ...others],
  refused: [
    ...noInt,
    ...[0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 20].filter((s) => s !== whenLeftOut && !others.includes(s)),
  ],
});
const url = (model: string, field: string, isRequired = true): FieldRow => ({
  model,
  field,
  whenLeftOut: isRequired ? required : undefined,
  taken: urls,
  refused: [...noUrl, pixel],
});
const ratio = (model: string, taken: readonly string[], refused: readonly string[]): FieldRow => ({
  model,
  field: 'aspect_ratio',
  whenLeftOut: '16:9',
  taken,
  refused: [...refused, ...noText, '', '16:9 '],
});
const vidA = (model: string): FieldRow[] => [
  prompt(model),
  ratio(model, ['16:9', '9:16', '1:1'], ['4:3', '21:9']),
  { model, field: 'audio', whenLeftOut: true, taken: [true, false], refused: noFlag },
  duration(model, 8, []),
  {
    model,
    field: 'resolution',
    whenLeftOut: '1080p',
    taken: ['480p', '720p', '1080p'],
    refused: [...noText, '', '4k', '1080P', '720'],
  },
];
const noImage = [
  ...noUrl.filter((value) => typeof value === 'string'),
  5,
  true,
  [],
  [urls[0]],
  'data:video/mp4;base64,AAAA',
  'data:image/png,AAAA',
  'data:image/png;base64,***=',
];

const rows: readonly FieldRow[] = [
  ...vidA('vidA-3.1-quality'),
  {
    model: 'vidA-3.1-quality',
    field: 'image',
    whenLeftOut: undefined,
    taken: [...urls, pixel, { task_id: 'task_1' }],
    refused: [...noImage, {}, { task_id: 5 }, { task_id: '' }, { task_id: 'task_1', index: 1 }],
  },
  ...vidA('vidA-3.1-fast'),
  {
    model: 'vidA-3.1-fast',
    field: 'image',
    whenLeftOut: undefined,
    taken: [...urls, pixel],
    refused: [...noImage, {}, { task_id: 'task_1' }],
  },
  prompt('vidB2'),
  duration('vidB2', 5, [10]),
  ratio('vidB2', ['16:9', '9:16'], ['1:1', '4:3']),
  prompt('motion-gen3-alpha-turbo'),
  url('motion-gen3-alpha-turbo', 'image_url'),
  duration('motion-gen3-alpha-turbo', 5, [10]),
  {
    model: 'motion-gen3-alpha-turbo',
    field: 'camera_motion',
    whenLeftOut: undefined,
    taken: ['zoom_in', 'pan_left', 'anything else'],
    refused: [...noText, ''],
  },
  prompt('motion-gen4'),
  url('motion-gen4', 'image_url', false),
  duration('motion-gen4', 5, [10]),
  prompt('motion-aleph'),
  url('motion-aleph', 'video_url'),
  ...['vidC-v21-master-i2v', 'vidC-v25-i2v-pro'].flatMap((model) => [
    prompt(model),
    url(model, 'image_url'),
    duration(model, 5, [10]),
  ]),
  ...['vidC-v21-master-t2v', 'vidC-v25-t2v-pro', 'delta-imagine-t2v'].flatMap((model) => [
    prompt(model),
    duration(model, 5, [10]),
  ]),
  ...['vidC-avatar-std', 'vidC-avatar-pro'].flatMap((model) => [
    prompt(model),
    url(model, 'image_url'),
    url(model, 'audio_url'),
  ]),
  prompt('vidD-02'),
  url('vidD-02', 'image_url', false),
  duration('vidD-02', 6, [10]),
  prompt('delta-imagine-i2v'),
  url('delta-imagine-i2v', 'image_url'),
  url('upscale-video', 'video_url'),
  {
    model: 'upscale-video',
    field: 'target_resolution',
    whenLeftOut: '4k',
    taken: ['1080p', '4k'],
    refused: [...noText, '', '4K', '720p'],
  },
  url('talk-audio', 'driver_audio_url'),
  url('talk-audio', 'driver_image_url'),
  url('motion-act-two', 'character_video_url'),
  url('motion-act-two', 'driver_video_url'),
];

it.for(rows.map((row) => [row.model, row.field, row] as const))(
  '%s takes and refuses in %s what its table says, and fills in what is left out',
  ([, , row]) => {
    expect(faultsOf(row)).toEqual([]);
  },
);

const fieldsByModel = Map.groupBy(rows, ({ model }) => model);

it('there are rows for all eighteen', () => {
  expect(fieldsByModel.size).toBe(18);
});

it.for([...fieldsByModel.keys()])('%s refuses every field of other models and every shared one', (model) => {
  const own = new Set(fieldsByModel.get(model)?.map(({ field }) => field));
  const shared = ['n', 'user', 'lyrics', 'instrumental', 'action', 'index', 'parent_task_id', 'text'];
  const others = new Set([...rows.map(({ field }) => field), ...shared]);
  for (const field of [...others].filter((one) => !own.has(one)))
    expect([field, refusedFor(mediaBody(model, { [field]: 'auto' }))]).toEqual([field, field]);
});

it('names the task that a picture comes from as a parent', () => {
  const { parents } = parseBody(mediaBody('vidA-3.1-quality', { image: { task_id: 'task_1' } }));
  expect(parents).toEqual([{ taskId: 'task_1', param: 'image.task_id' }]);
});
