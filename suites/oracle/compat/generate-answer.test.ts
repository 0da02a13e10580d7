import { describe, expect, it } from 'vitest';
import { exchangeOf, type SampleAnswer, violationOf } from '../../testing/sample-answers.ts';
import { type GenerateBody, judgeGenerateAnswer } from './generate-answer.ts';

const expected = { requirement: 'COMPB-001', aspect: 'accepted', model: 'gamma-3-pro' };

function sample(): Record<string, unknown> & { usageMetadata: Record<string, unknown> } {
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text: 'The sea is wide.' }] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
    modelVersion: 'gamma-3-pro',
    responseId: 'r-1',
  };
}

function judged(change: (body: ReturnType<typeof sample>) => void, answer: SampleAnswer = {}): string | null {
  const body = sample();
  change(body);
  return violationOf(() => judgeGenerateAnswer(exchangeOf(JSON.stringify(body), answer), expected));
}

describe('a plain answer of compat path B', () => {
  it('returns its parts', () => {
    const answer = judgeGenerateAnswer(exchangeOf(JSON.stringify(sample())), expected);
    expect(answer).toMatchObject({ text: 'The sea is wide.', finishReason: 'STOP', responseId: 'r-1' });
  });

  it('may omit what the protocol omits', () => {
    const change = (body: Record<string, unknown>): void => {
      delete body.modelVersion;
      delete body.responseId;
      body.candidates = [{ finishReason: 'SAFETY' }];
    };
    expect(judged(change)).toBeNull();
  });

  it.each<[string, string, (body: ReturnType<typeof sample>) => void]>([
    ['no candidate', 'candidates', (body) => Object.assign(body, { candidates: [] })],
    ['no finishReason', 'finish-reason', (body) => Object.assign(body, { candidates: [{ content: {} }] })],
    [
      'a finishReason of ours',
      'shape',
      (body) => Object.assign(body, { candidates: [{ finishReason: 'stop' }] }),
    ],
    [
      'the name of the upstream',
      'model-public',
      (body) => Object.assign(body, { modelVersion: 'g3p-2026-09' }),
    ],
    ['no usage', 'usage', (body) => Object.assign(body, { usageMetadata: undefined })],
    ['a wrong sum', 'total-is-sum', (body) => Object.assign(body.usageMetadata, { totalTokenCount: 14 })],
    ['no prompt', 'prompt-counted', (body) => Object.assign(body.usageMetadata, { promptTokenCount: 0 })],
    ['an answer of another protocol', 'shape', (body) => Object.assign(body, { candidates: 'none' })],
  ])('is refused with %s', (_title, aspect, change) => {
    expect(judged(change)).toBe(`COMPB-010 ${aspect}`);
  });

  it('violates the rule of acceptance with another status or an incomplete body', () => {
    expect(judged(() => undefined, { status: 404 })).toBe('COMPB-001 accepted');
    expect(judged(() => undefined, { complete: false })).toBe('COMPB-001 accepted');
  });

  it('violates the form rule with another content type', () => {
    expect(judged(() => undefined, { contentType: 'text/event-stream' })).toBe('COMPB-010 content-type');
  });

  it('excludes thoughts from the text', () => {
    const body = sample() as unknown as { candidates: { content: { parts: object[] } }[] } & GenerateBody;
    body.candidates[0]?.content.parts.unshift({ text: 'Hm.', thought: true });
    expect(judgeGenerateAnswer(exchangeOf(JSON.stringify(body)), expected).text).toBe('The sea is wide.');
  });
});
