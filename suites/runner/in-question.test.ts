import { describe, expect, it } from 'vitest';
import type { Finding } from '../rules/violation.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { inQuestion } from './in-question.ts';

function asked(body: unknown, answer: unknown = {}): Exchange {
  const sample = answeredWith();
  return {
    ...sample,
    request: { ...sample.request, body: Buffer.from(JSON.stringify(body)) },
    response: sample.response && { ...sample.response, body: Buffer.from(JSON.stringify(answer)) },
  };
}

const finding = (more: Partial<Finding>): Finding => ({
  requirement: 'CHAT-012',
  aspect: 'range-outside',
  expected: 'this',
  actual: 'that',
  ...more,
});

const messages = (text: string): object[] => [{ role: 'user', content: text }];

describe('the member in question of a request', () => {
  it('is where the request differs from its twin, apart from the marker of each call', () => {
    const exchange = asked({ messages: messages('Hi. [gc12ab]'), temperature: 2.01 });
    const twin = asked({ messages: messages('Hi. [gc34cd]'), temperature: 2, top_p: 1 });
    expect(inQuestion(finding({ exchange, twin }))).toEqual([
      { path: 'temperature', value: '2.01', twin: '2' },
      { path: 'top_p', value: null, twin: '1' },
    ]);
  });

  it('is a header that differs, and not the model that was drawn for each', () => {
    const of = (model: string, authorization: string): Exchange => {
      const one = asked({ model });
      return { ...one, request: { ...one.request, headers: [['Authorization', authorization]] } };
    };
    const found = finding({ exchange: of('alpha-codex', 'Bearer k extra'), twin: of('delta-3', 'Bearer k') });
    expect(inQuestion(found)).toEqual([
      { path: 'header authorization', value: 'Bearer k extra', twin: 'Bearer k' },
    ]);
  });

  it('names models as the deployment does', () => {
    const carried = (model: string, own: string): Exchange => {
      const one = asked({ model });
      return { ...one, carried: { request: asked({ model: own }).request, answer: null } };
    };
    const found = finding({ exchange: carried('delta-3', 'acme-a'), twin: carried('alpha-5-2', 'acme-b') });
    expect(inQuestion(found)).toEqual([{ path: 'model', value: '"acme-a"', twin: '"acme-b"' }]);
  });

  it('is only the member that the rule is about, even if the twin differs in others', () => {
    const exchange = asked({ model: 'a', metadata: [] });
    const twin = asked({ model: 'b' });
    expect(inQuestion(finding({ exchange, twin, field: 'metadata' }))).toEqual([
      { path: 'metadata', value: '[]', twin: null },
    ]);
  });

  it('is found deep inside the body', () => {
    const block = (url: string): object => ({
      messages: [{ content: [{ type: 'image_url', image_url: { url } }] }],
    });
    const [exchange, twin] = [asked(block('ftp://x')), asked(block('https://x'))];
    expect(inQuestion(finding({ exchange, twin }))).toEqual([
      { path: 'messages[0].content[0].image_url.url', value: '"ftp://x"', twin: '"https://x"' },
    ]);
  });

  it('is the member that the rule or the deployment names when there is no twin', () => {
    const error = { error: { param: 'stop' } };
    expect(inQuestion(finding({ exchange: asked({ stop: 5 }, error) }))).toEqual([
      { path: 'stop', value: '5' },
    ]);
    expect(inQuestion(finding({ exchange: asked({}), field: 'model' }))).toEqual([
      { path: 'model', value: null },
    ]);
  });

  it('is none when everything differs, when none is named, or when the body is not an object', () => {
    const twin = asked({});
    const exchange = asked({ a: 1, b: 2, c: 3, d: 4, e: 5 });
    expect(inQuestion(finding({ exchange, twin }))).toEqual([]);
    expect(inQuestion(finding({ exchange: asked({ a: 1 }) }))).toEqual([]);
    expect(inQuestion(finding({ exchange: asked([1]), twin, field: 'model' }))).toEqual([]);
    expect(inQuestion(finding({}))).toEqual([]);
  });

  it('is shown even when it is long, cut and with its length', () => {
    const [shown] = inQuestion(finding({ exchange: asked({ user: 'u'.repeat(5_000) }), field: 'user' }));
    expect(shown?.value).toMatch(/^"u{299}… \(5002 characters\)$/);
  });
});
