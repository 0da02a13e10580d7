import { expect, it } from 'vitest';
import { everySplit } from '../testing/fake-reply.ts';
import { ContinueFilter } from './continue-filter.ts';

const interimAnswer = 'HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\nHTTP/1.0 100\r\n\r\n';

function filtered(pieces: readonly Buffer[], maxBytes = 1000): string {
  const filter = new ContinueFilter(maxBytes);
  return pieces.map((piece) => filter.take(piece)?.toString('latin1') ?? '').join('');
}

it.for([
  'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\n\r\n',
  'HTTP/1.1 1000\r\n\r\n'.replace('1000', '101 x'),
  'garbage',
])('takes nothing but leading 100 answers out of what ends in %j, however it is split', (rest) => {
  for (const pieces of everySplit(Buffer.from(interimAnswer + rest))) expect(filtered(pieces)).toBe(rest);
  expect(filtered([Buffer.from(rest)])).toBe(rest);
});

it('passes on an interim head that never ends', () => {
  const endless = `HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(2000)}`;
  expect(filtered([Buffer.from(endless)])).toBe(endless);
});
