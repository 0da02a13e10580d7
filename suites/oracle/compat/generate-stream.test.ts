import { describe, expect, it } from 'vitest';
import { exchangeOf, streamOf, violationOf } from '../../testing/sample-answers.ts';
import { judgeBrokenGenerate, judgeGenerateStream } from './generate-stream.ts';

const model = 'gamma-3-flash';
const expected = { requirement: 'COMPB-010', aspect: 'stream-accepted', model };

function chunk(parts: object[], finishReason?: string, said = 2): Record<string, unknown> {
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        index: 0,
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: said, totalTokenCount: 9 + said },
    modelVersion: model,
    responseId: 'r-1',
  };
}

const begun = [chunk([{ text: 'The sea ' }]), chunk([{ text: 'is wide.' }])];
const whole = [...begun, chunk([], 'STOP', 4)];

const outage = {
  type: 'api_error',
  code: 'upstream_error',
  message: 'It broke.',
  channel: null,
  param: null,
};

function judged(payloads: readonly unknown[]): string | null {
  return violationOf(() => judgeGenerateStream(streamOf(payloads), expected));
}

function broken(payloads: readonly unknown[], complete = true): string | null {
  return violationOf(() => judgeBrokenGenerate(streamOf(payloads, { complete }), { model }));
}

describe('a stream of compat path B', () => {
  it('is assembled from its events', () => {
    const stream = judgeGenerateStream(streamOf(whole), expected);
    expect(stream).toMatchObject({ text: 'The sea is wide.', finishReason: 'STOP' });
    expect(stream.fragments).toEqual(['The sea ', 'is wide.']);
    expect(stream.usage.totalTokenCount).toBe(13);
  });

  it.each<[string, string, readonly unknown[]]>([
    ['the end marker of another protocol', 'utf8-json', [...whole, '[DONE]']],
    ['no finishReason', 'finish-reason', begun],
    ['text after its end', 'finish-last', [...whole, chunk([{ text: 'and on' }])]],
    ['the name of the upstream', 'model-public', [{ ...chunk([], 'STOP'), modelVersion: 'g3f-2026-09' }]],
    ['two ids', 'one-id', [{ ...chunk([]), responseId: 'r-2' }, ...whole]],
    ['no usage at its end', 'usage', [...begun, { candidates: [{ finishReason: 'STOP' }] }]],
    ['an error', 'stream-accepted', [...begun, { error: outage }]],
    ['a chunk of the core path', 'shape', [{ choices: [] }]],
  ])('is refused with %s', (_title, aspect, payloads) => {
    expect(judged(payloads)).toBe(`COMPB-010 ${aspect}`);
  });

  it('is refused as a single JSON document', () => {
    const plain = exchangeOf(JSON.stringify(whole));
    expect(violationOf(() => judgeGenerateStream(plain, expected))).toBe('COMPB-010 stream-content-type');
  });
});

describe('a stream of compat path B that failed', () => {
  it('reports the failure in an event, or breaks off', () => {
    expect(broken([...begun, { error: { ...outage, status: 'UNAVAILABLE' } }])).toBeNull();
    expect(broken(begun, false)).toBeNull();
  });

  it.each<[string, string, readonly unknown[]]>([
    ['like a good one', 'no-false-ending', whole],
    ['as if all were well', 'failure-visible', begun],
    [
      'in a native error',
      'error-event-shape',
      [...begun, { error: { code: 500, message: 'x', status: 'INTERNAL' } }],
    ],
    [
      'in blame of the caller',
      'error-event-type',
      [...begun, { error: { ...outage, type: 'auth_error', code: 'other' } }],
    ],
    ['twice', 'nothing-after-error', [...begun, { error: outage }, chunk([], 'STOP')]],
  ])('does not end %s', (_title, aspect, payloads) => {
    expect(broken(payloads)).toBe(`COMPB-011 ${aspect}`);
  });
});
