import { expect, it } from 'vitest';
import { readAnswers } from '../../wire/raw-answers.ts';
import type { RawAnswer } from '../../wire/raw-socket.ts';
import { judgeRaw } from './judge-raw.ts';
import { raw } from './raw-sequence.ts';

const facts = { isDirect: true, withinMs: 1_000 };

function answerOf(text: string, closed = true): RawAnswer {
  const request = { method: 'RAW', url: 'http://x', headers: [], body: Buffer.alloc(0) };
  const answers = readAnswers(Buffer.from(text), closed).map((answer) => ({
    ...{ label: 'raw', request, error: null, sentAt: 0, endedAt: 0 },
    response: { ...answer, firstByteMs: 0, endMs: 0 },
  }));
  const none = { label: 'raw', request, response: null, error: 'silence', sentAt: 0, endedAt: 0 };
  return { exchange: answers[0] ?? none, answers, closed, afterMs: 0 };
}

const error =
  '{"error":{"type":"invalid_request_error","code":"invalid_param","message":"no","channel":null,"param":null}}';
const refusal = (status: number): string =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${error.length}\r\n\r\n${error}`;
const causes = (sequence: ReturnType<typeof raw>, answer: RawAnswer): string[] =>
  judgeRaw(sequence, answer, facts).map(({ cause, level }) => `${level} ${cause}`);

it('takes a refusal in shape or a closed connection, and nothing else', () => {
  const one = raw('x', 'x');
  expect(causes(one, answerOf(refusal(400)))).toEqual([]);
  expect(causes(one, answerOf(''))).toEqual([]);
  expect(causes(one, answerOf('', false))).toEqual(['fail neither answered nor closed']);
  expect(causes(one, answerOf(refusal(500)))).toEqual(['fail status 500']);
  expect(causes(one, answerOf('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))).toEqual(['fail accepted']);
  expect(
    causes(raw('x', 'x', { expects: 'open' }), answerOf('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')),
  ).toEqual([]);
  expect(causes(one, answerOf('HTTP/1.1 400 X\r\ncontent-length: 2\r\n\r\nno'))).toEqual([
    'fail ERR-002 error-content-type',
  ]);
  expect(causes(raw('x', 'x', { alsoStatuses: [505] }), answerOf(refusal(505)))).toEqual([]);
});

it('sees a request that was hidden in a body', () => {
  expect(causes(raw('x', 'x'), answerOf(refusal(400) + refusal(401)))).toEqual([
    'fail more answers than requests',
  ]);
});

it('does not blame a deployment for the shape of what stands in front of it', () => {
  const page = answerOf('HTTP/1.1 400 X\r\ncontent-length: 2\r\n\r\nno');
  expect(judgeRaw(raw('x', 'x'), page, { ...facts, isDirect: false })).toMatchObject([{ level: 'observed' }]);
});
