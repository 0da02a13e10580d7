import { describe, expect, it } from 'vitest';
import {
  exchangeOf,
  sampleChunks,
  sampleCompletion,
  streamOf,
  violationOf,
} from '../../testing/sample-answers.ts';
import type { FaultCell, Verdict } from './fault-facts.ts';
import {
  callerOutcomeOf,
  judgeAttempts,
  judgeNothingRaw,
  judgeServed,
  judgeText,
  type ScriptedAnswer,
  type Served,
} from './fault-verdict.ts';

const scriptedAnswer: ScriptedAnswer = {
  text: 'The sea is wide.',
  usage: { prompt_tokens: 12, completion_tokens: 3, cached_tokens: 4 },
  calls: [],
};
const served: Served = {
  content: scriptedAnswer.text,
  finishReason: 'stop',
  usage: {
    prompt_tokens: 12,
    completion_tokens: 3,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
  },
  toolCalls: [],
};
const good: Verdict = {
  seen: ['served'],
  codes: [],
  text: 'whole',
  finish: ['stop'],
  usage: 'reported',
  attempts: [1, 1],
  elsewhere: 'either',
  charge: 'reported',
  breaker: 'either',
  deadline: null,
};
const refused: Verdict = { ...good, seen: ['refused'], codes: ['upstream_timeout'], attempts: [2, 2] };
const broken: Verdict = { ...good, seen: ['broken'], codes: ['upstream_error'], text: 'prefix' };
const plain: FaultCell = { dialect: 'messages', call: 'plain', form: null };
const stream: FaultCell = { ...plain, call: 'stream' };
const answer = exchangeOf(JSON.stringify(sampleCompletion()));
const event = { error: { type: 'api_error', code: 'upstream_error', message: 'Broken.' } };
const [role, first, second, last] = sampleChunks();

describe('sightOf', () => {
  it.each([
    ['a completion', answer, plain, 'served'],
    ['an error', exchangeOf('{}', { status: 502 }), plain, 'refused'],
    ['an error in place of a stream', exchangeOf('{}', { status: 502 }), stream, 'refused'],
    ['a whole stream', streamOf([role, first, second, last, '[DONE]']), stream, 'served'],
    ['a stream that only stops', streamOf([role, first]), stream, 'served'],
    ['a stream with an error event', streamOf([role, first, event, '[DONE]']), stream, 'broken'],
    ['a connection that breaks', streamOf([role, first], { complete: false }), stream, 'broken'],
  ] as const)('classifies %s', (_, exchange, { call }, callerOutcome) => {
    expect(callerOutcomeOf(exchange, call)).toBe(callerOutcome);
  });
});

describe('judgeServed', () => {
  const call = { function: { name: 'define_word', arguments: '{ "word": "sea" }' } };
  const scriptedCall: ScriptedAnswer = {
    ...scriptedAnswer,
    calls: [{ name: 'define_word', arguments: '{"word":"sea"}' }],
  };
  it.each<[string, Partial<Served>, Partial<Verdict>, ScriptedAnswer, string | null]>([
    ['the whole answer', {}, {}, scriptedAnswer, null],
    [
      'a text that is short by a character',
      { content: 'The sea is wide' },
      {},
      scriptedAnswer,
      'RESP-024 fault-text',
    ],
    ['a text where none is due', {}, { text: 'none' }, scriptedAnswer, 'RESP-024 fault-text'],
    ['another ending', { finishReason: 'length' }, {}, scriptedAnswer, 'RESP-024 fault-finish'],
    [
      'other counts',
      { usage: { ...served.usage, prompt_tokens: 24, total_tokens: 27 } },
      {},
      scriptedAnswer,
      'RESP-022 fault-usage',
    ],
    [
      'cached tokens that were lost',
      { usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } },
      {},
      scriptedAnswer,
      'RESP-022 fault-usage',
    ],
    ['counts where none were reported', {}, { usage: 'zero' }, scriptedAnswer, 'RESP-022 fault-usage'],
    [
      'any counts where nothing is fixed',
      {},
      { usage: 'any' },
      { ...scriptedAnswer, usage: { prompt_tokens: 1, completion_tokens: 1 } },
      null,
    ],
    ['a call in another form of JSON', { toolCalls: [call] }, {}, scriptedCall, null],
    ['a call that was lost', {}, {}, scriptedCall, 'RESP-024 fault-calls'],
    ['a call twice', { toolCalls: [call, call] }, {}, scriptedCall, 'RESP-024 fault-calls'],
  ])('judges %s', (_, other, verdict, scripted, violation) => {
    const judge = (): void =>
      judgeServed({ ...served, ...other }, scripted, { ...good, ...verdict }, plain, answer);
    expect(violationOf(judge)).toBe(violation);
  });
});

it('accepts a partial text only from its beginning', () => {
  const judge = (content: string): string | null =>
    violationOf(() => judgeText(content, scriptedAnswer.text, 'prefix', stream, answer));
  expect(judge('The sea')).toBeNull();
  expect(judge('')).toBeNull();
  expect(judge('sea is wide.')).toBe('SSE-020 fault-text');
  expect(judge('The sea is wide. The sea')).toBe('SSE-020 fault-text');
});

it('judges the number of attempts under the rule that fixes it', () => {
  const judge = (count: number, verdict: Verdict, cell: FaultCell): string | null =>
    violationOf(() => judgeAttempts(count, verdict, cell, answer));
  expect(judge(2, refused, plain)).toBeNull();
  expect(judge(1, refused, plain)).toBe('ROUTE-004 fault-attempts');
  expect(judge(2, broken, stream)).toBe('SSE-020 fault-attempts');
  expect(judge(2, { ...refused, codes: ['content_filter'], attempts: [1, 1] }, plain)).toBe(
    'ROUTE-013 fault-attempts',
  );
});

describe('judgeNothingRaw', () => {
  const said = Buffer.from('{"error":{"message":"kernel panic on node 77","type":"server_error"}}');
  const judge = (text: string, body: Buffer): string | null =>
    violationOf(() => judgeNothingRaw([body], scriptedAnswer, exchangeOf(text, { status: 502 })));

  it.each<[string, Buffer]>([
    ['JSON', said],
    ['an event', Buffer.from(`event: error\ndata: ${said}\n\n`)],
    ['HTML', Buffer.from('<html><h1>kernel panic on node 77</h1></html>')],
    ['plain text', Buffer.from('kernel panic on node 77')],
  ])('finds text of the upstream in %s', (_, body) => {
    expect(judge('{"error":{"message":"Failed: kernel panic on node 77"}}', body)).toBe('ERR-009 fault-raw');
    expect(judge('{"error":{"message":"The upstream failed."}}', body)).toBeNull();
  });

  it('does not treat the scripted text as a leak', () => {
    const body = Buffer.from(JSON.stringify({ choices: [{ message: { content: scriptedAnswer.text } }] }));
    expect(judge(JSON.stringify(sampleCompletion()), body)).toBeNull();
  });
});
