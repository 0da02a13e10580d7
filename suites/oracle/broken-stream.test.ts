import { describe, expect, it } from 'vitest';
import { type SampleAnswer, sampleChunks, streamOf, violationOf } from '../testing/sample-answers.ts';
import { calledWith, judgeBrokenStream } from './broken-stream.ts';

const begun = sampleChunks().slice(0, 2);
const [, text] = sampleChunks();
const error = { type: 'api_error', code: 'upstream_error', message: 'Broken.', channel: null, param: null };

describe('judgeBrokenStream', () => {
  it.each<[string, unknown[], SampleAnswer, string | null]>([
    ['an error event and [DONE]', [...begun, { error }, '[DONE]'], {}, 'upstream_error'],
    ['an error event and the end', [...begun, { error }], {}, 'upstream_error'],
    ['an error event and a broken connection', [...begun, { error }], { complete: false }, 'upstream_error'],
    ['a connection that breaks', begun, { complete: false }, null],
    [
      'a finish_reason error beside the event',
      [...begun, { error }, { ...text, choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }],
      {},
      'upstream_error',
    ],
  ])('accepts %s', (_, payloads, answer, code) => {
    const seen = judgeBrokenStream(streamOf(payloads, answer));
    expect(seen.content).toBe('The sea ');
    expect(seen.error?.code ?? null).toBe(code);
  });

  it('accepts only a declared channel in the event', () => {
    const failing = streamOf([...begun, { error: { ...error, channel: 'ch-1' } }, '[DONE]'], {});
    expect(judgeBrokenStream(failing, ['ch-1']).error?.channel).toBe('ch-1');
    expect(violationOf(() => judgeBrokenStream(failing, ['ch-2']))).toBe('ERR-006 channel-declared');
  });
});

it('calledWith ignores white space, but compares all digits and the order of a list', () => {
  expect(calledWith('{\n "a": [1, 2]}')).toEqual(calledWith('{"a":[1,2]}'));
  expect(calledWith('{"a":[2,1]}')).not.toEqual(calledWith('{"a":[1,2]}'));
  expect(calledWith('{"a":12345678901234567891}')).not.toEqual(calledWith('{"a":12345678901234567890}'));
});

it('calledWith returns invalid JSON as text', () => {
  expect([calledWith('{"a":'), calledWith('')]).toEqual(['{"a":', '']);
});
