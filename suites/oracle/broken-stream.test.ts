import { describe, expect, it } from 'vitest';
import { type SampleAnswer, sampleChunks, streamOf, violationOf } from '../testing/sample-answers.ts';
import { judgeBrokenStream } from './broken-stream.ts';

const begun = sampleChunks().slice(0, 2);
const [, text, , good] = sampleChunks();
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

  it.each<[string, string, unknown[], SampleAnswer]>([
    ['a good ending', 'SSE-016 no-false-ending', [...begun, good, '[DONE]'], {}],
    ['a good ending after the event', 'SSE-016 no-false-ending', [...begun, { error }, good, '[DONE]'], {}],
    ['[DONE] without a word', 'SSE-016 visible', [...begun, '[DONE]'], {}],
    ['an end without a word', 'SSE-016 visible', begun, {}],
    ['text after the event', 'SSE-016 no-text-after-error', [...begun, { error }, text, '[DONE]'], {}],
    ['an error of another shape', 'SSE-016 error-event-shape', [...begun, { error: 'broken' }, '[DONE]'], {}],
    [
      'an error that blames the caller',
      'SSE-016 error-event-type',
      [...begun, { error: { ...error, type: 'auth_error', code: 'invalid_api_key' } }],
      {},
    ],
    [
      'a code with the wrong type',
      'ERR-008 triple',
      [...begun, { error: { ...error, code: 'invalid_param' } }],
      {},
    ],
    ['a second [DONE]', 'SSE-008 ends-once', [...begun, { error }, '[DONE]', '[DONE]'], {}],
    ['a plain error', 'SSE-016 stream-began', ['{}'], { status: 502 }],
  ])('refuses %s', (_, violation, payloads, answer) => {
    expect(violationOf(() => judgeBrokenStream(streamOf(payloads, answer)))).toBe(violation);
  });

  it('compares the channel of the event with those that the deployment declares', () => {
    const failing = streamOf([...begun, { error: { ...error, channel: 'ch-1' } }, '[DONE]'], {});
    expect(judgeBrokenStream(failing, ['ch-1']).error?.channel).toBe('ch-1');
    expect(violationOf(() => judgeBrokenStream(failing, ['ch-2']))).toBe('ERR-006 channel-declared');
  });
});
