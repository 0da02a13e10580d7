import { describe, expect, it } from 'vitest';
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
import { songActions } from './song-schemas.ts';

const model = 'song-v5';
const defaults = { instrumental: false, duration: 60 };

/** What an action needs beside its name. */
const needed: Readonly<Record<string, object>> = {
  generate: { prompt: 'a shanty' },
  mashup: { parent_task_ids: ['task_1', 'task_2'] },
  persona: { persona_id: 'persona_1' },
  'upload-extend': { audio_url: urls[0] },
};
const bodyOf = (action: string) => ({
  model,
  action,
  ...(needed[action] ?? { parent_task_id: 'task_1' }),
});

describe.for(songActions)('%s', (action) => {
  const body = bodyOf(action);
  const rows: readonly FieldRow[] = [
    {
      model,
      field: 'prompt',
      whenLeftOut: action === 'generate' ? required : undefined,
      taken: ['x', 'a'.repeat(4001)],
      refused: [...noText, ''],
    },
    { model, field: 'lyrics', whenLeftOut: undefined, taken: ['[Verse]\nla', ''], refused: noText },
    { model, field: 'instrumental', whenLeftOut: false, taken: [true, false], refused: noFlag },
    {
      model,
      field: 'duration',
      whenLeftOut: 60,
      taken: [30, 31, 239, 240],
      refused: [...noInt, 0, -1, 29, 241],
    },
  ];

  it('takes and refuses in each field what the table says', () => {
    for (const row of rows) expect(faultsOf({ ...row, body })).toEqual([]);
  });

  it('has the fields of no other action', () => {
    const extras = ['index', 'parent_task_id', 'parent_task_ids', 'audio_url', 'persona_id', 'start', 'end'];
    const own: Readonly<Record<string, readonly string[]>> = {
      generate: [],
      mashup: ['parent_task_id', 'parent_task_ids'],
      persona: ['parent_task_id', 'persona_id'],
      'upload-extend': ['audio_url'],
      replace: ['parent_task_id', 'start', 'end'],
    };
    for (const field of extras.filter((one) => !(own[action] ?? ['parent_task_id']).includes(one)))
      expect([field, refusedFor({ ...body, [field]: 'x' })]).toEqual([field, field]);
    for (const field of ['tile', 'voice_id', 'text', 'n', 'seed'])
      expect(refusedFor({ ...body, [field]: 'x' })).toBe(field);
  });
});

const withParent = songActions.filter((action) => needed[action] === undefined);

it.for(withParent)('%s needs a parent and nothing else', (action) => {
  expect(parseBody(bodyOf(action))).toMatchObject({
    action,
    fields: defaults,
    parents: [{ taskId: 'task_1', param: 'parent_task_id' }],
  });
  expect(refusedFor({ model, action })).toBe('parent_task_id');
  for (const parent of [...noText, '', null])
    expect(refusedFor({ model, action, parent_task_id: parent })).toBe('parent_task_id');
});

it('generate is what a body without an action means', () => {
  expect(parseBody({ model, prompt: 'x' })).toMatchObject({
    action: 'generate',
    fields: { prompt: 'x', ...defaults },
    parents: [],
  });
});

it.for(['', 'Generate', 'upscale', 'add_vocals', 5, true, [], {}])('refuses the action %j', (action) => {
  expect(refusedFor({ model, prompt: 'x', action })).toBe('action');
});

describe('mashup', () => {
  const mashup = { model, action: 'mashup' };
  it.for<[object, readonly string[]]>([
    [{ parent_task_ids: ['a', 'b'] }, ['parent_task_ids[0]', 'parent_task_ids[1]']],
    [{ parent_task_id: 'a', parent_task_ids: ['b'] }, ['parent_task_id', 'parent_task_ids[0]']],
    [{ parent_task_id: 'a', parent_task_ids: ['a', 'b'] }, ['parent_task_id', 'parent_task_ids[1]']],
  ])('combines two tasks: %j', ([named, params]) => {
    const { parents } = parseBody({ ...mashup, ...named });
    expect(parents).toEqual([
      { taskId: 'a', param: params[0] },
      { taskId: 'b', param: params[1] },
    ]);
  });

  it.for([
    {},
    { parent_task_id: 'a' },
    { parent_task_ids: [] },
    { parent_task_ids: ['a'] },
    { parent_task_ids: ['a', 'a'] },
    { parent_task_ids: ['a', 'b', 'c'] },
    { parent_task_id: 'c', parent_task_ids: ['a', 'b'] },
    { parent_task_ids: 'a' },
    { parent_task_ids: { 0: 'a', 1: 'b' } },
  ])('takes neither fewer nor more: %j', (named) => {
    expect(refusedFor({ ...mashup, ...named })).toBe('parent_task_ids');
  });
});

it('persona may build on a task', () => {
  expect(parseBody(bodyOf('persona')).parents).toEqual([]);
  expect(parseBody({ ...bodyOf('persona'), parent_task_id: 'task_1' }).parents).toHaveLength(1);
  expect(refusedFor({ model, action: 'persona', parent_task_id: 'task_1' })).toBe('persona_id');
});

it('upload-extend takes audio by an https URL', () => {
  for (const url of urls)
    expect(parseBody({ ...bodyOf('upload-extend'), audio_url: url }).fields.audio_url).toBe(url);
  for (const url of [...noUrl, null])
    expect(refusedFor({ ...bodyOf('upload-extend'), audio_url: url })).toBe('audio_url');
});

it('replace takes a section that has a beginning before its end', () => {
  const replace = bodyOf('replace');
  expect(parseBody({ ...replace, start: 0, end: 12.5 }).fields).toMatchObject({ start: 0, end: 12.5 });
  expect(parseBody({ ...replace, start: 3 }).fields).toMatchObject({ start: 3 });
  expect(refusedFor({ ...replace, start: -1 })).toBe('start');
  expect(refusedFor({ ...replace, start: '1', end: 2 })).toBe('start');
  expect(refusedFor({ ...replace, start: 2, end: 2 })).toBe('end');
});
