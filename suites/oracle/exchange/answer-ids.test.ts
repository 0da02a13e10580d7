import { expect, it } from 'vitest';
import { answeredByCode } from '../../testing/sample-exchange.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { rawId } from '../native/dialects.ts';
import { AnswerIds } from './answer-ids.ts';
import type { Call, Protocol } from './call.ts';

const answered = (text: string): Exchange => {
  const sample = answeredByCode(200);
  return { ...sample, response: sample.response && { ...sample.response, body: Buffer.from(text) } };
};
const callOf = (protocol: Protocol, stream = false): Call => ({
  ...{ protocol, stream, model: 'm', request: {}, taskId: null },
});

it('finds an id that returns, plain or in the first event of a stream, and names the rule of the later answer', () => {
  const ids = new AnswerIds();
  expect(ids.add(answered('{"id":"a"}'), callOf('chat'))).toEqual([]);
  expect(ids.add(answered('{"id":"a"}'), callOf('images'))).toEqual([]);
  expect(ids.add(answered('data: {"message":{"id":"b"}}\n\n'), callOf('compatA', true))).toEqual([]);
  const found = [
    ids.add(answered('data: {"id":"a"}\n\ndata: [DONE]\n\n'), callOf('chat', true)),
    ids.add(answered('{"id":"b"}'), callOf('compatA')),
  ].flat();
  expect(found.map(({ row, findings }) => `${row} ${findings[0]?.requirement}`)).toEqual([
    'stream SSE-013',
    'compatA COMPA-010',
  ]);
});

it('lets the id of raw answers of the suites return, which a deployment may pass on', () => {
  const ids = new AnswerIds();
  const same = (): unknown => ids.add(answered(`{"id":"gen-chatcmpl-${rawId}"}`), callOf('chat'));
  expect([same(), same()]).toEqual([[], []]);
});
