import { expect, it } from 'vitest';
import { loadRegister } from '../rules/register.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import { describeFailure } from './describe-failure.ts';

const context = {
  check: { id: 'chat.field.temperature' },
  register: loadRegister(),
  input: { seed: 1, size: 'quick', replayPrefix: 'npx gatecheck run' },
} as const;

/** The body as a report shows it. */
function shownOf(body: Buffer): string | undefined {
  const sample = answeredWith();
  const exchange = { ...sample, request: { ...sample.request, body } };
  const finding = { requirement: 'CHAT-012', aspect: 'a', expected: 'b', actual: 'c', exchange };
  return describeFailure(context, finding, null, (text) => text).exchange?.request.body;
}

it('shows text unchanged, even a long text that is cut inside a character', () => {
  expect(shownOf(Buffer.from('{"a":"é😀"}'))).toBe('{"a":"é😀"}');
  const long = shownOf(Buffer.from(`x${'é'.repeat(4_000)}`)) ?? '';
  expect(long).toMatch(/^xé+… \(8001 bytes in all\)$/);
});

it('shows what was seen as the wire had it, and how it was read', () => {
  const sample = answeredWith();
  const answer = (status: number, code: string) => ({
    ...{ status, headers: [] },
    body: Buffer.from(JSON.stringify({ error: { code } })),
  });
  const read = answer(400, 'context_too_long');
  const exchange = {
    ...sample,
    response: { ...answeredWith().response, ...read } as NonNullable<typeof sample.response>,
    carried: { request: sample.request, answer: answer(422, 'E_WINDOW') },
  };
  const actual = `HTTP 400: ${read.body}`;
  const finding = { requirement: 'CHAT-012', aspect: 'a', expected: 'b', actual, exchange };
  expect(describeFailure(context, finding, null, (text) => text).actual).toBe(
    'HTTP 422: {"error":{"code":"E_WINDOW"}}, read as 400 context_too_long',
  );
});

it('shows bytes that are not text as readable characters and as hexadecimal digits', () => {
  const broken = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]);
  expect(shownOf(broken)).toBe('(10 bytes that are no text) {"a":".."} = hex 7b 22 61 22 3a 22 ff c3 22 7d');
  const picture = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG'), Buffer.alloc(300)]);
  expect(shownOf(picture)).toMatch(
    /^\(304 bytes that are no text\) \.PNG\.{124}… = hex 89 50 4e 47( 00){124}$/,
  );
});
