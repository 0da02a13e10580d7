import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CallbackSignature, isFresh, isSignedWith, signatureIn } from './callback.ts';

const upstreamKey = 'the key of an upstream';
const body = Buffer.from('{"data":{"taskId":"n1"}}');
const sign = (id: string, timestamp: string, of = body): string =>
  createHmac('sha256', upstreamKey).update(`${id}.${timestamp}.`).update(of).digest('hex');
const headers = (changes: Record<string, string | undefined> = {}): Record<string, string | undefined> => ({
  'callback-id': 'cb_1',
  'callback-timestamp': '1700000000',
  'callback-signature': `v1=${sign('cb_1', '1700000000')}`,
  ...changes,
});
const signatureOf = (given: Record<string, string | undefined>): CallbackSignature | null =>
  signatureIn((name) => given[name]);

it('accepts a valid signature', () => {
  const callbackSignature = signatureOf(headers());
  expect(callbackSignature).toEqual({
    id: 'cb_1',
    timestamp: '1700000000',
    signature: sign('cb_1', '1700000000'),
  });
  expect(callbackSignature !== null && isSignedWith(callbackSignature, upstreamKey, body)).toBe(true);
});

it.for([
  ['callback-id', undefined],
  ['callback-id', ''],
  ['callback-id', 'cb.1'],
  ['callback-id', 'a, b'],
  ['callback-id', 'x'.repeat(201)],
  ['callback-timestamp', undefined],
  ['callback-timestamp', '1700000000.0'],
  ['callback-timestamp', '+1700000000'],
  ['callback-timestamp', '01700000000'],
  ['callback-timestamp', '17e8'],
  ['callback-timestamp', '2023-11-14T22:13:20Z'],
  ['callback-timestamp', '9'.repeat(13)],
  ['callback-signature', undefined],
  ['callback-signature', sign('cb_1', '1700000000')],
  ['callback-signature', `v2=${sign('cb_1', '1700000000')}`],
  ['callback-signature', `v1=${sign('cb_1', '1700000000').toUpperCase()}`],
  ['callback-signature', `v1=${sign('cb_1', '1700000000')}0`],
  ['callback-signature', `v1=${sign('cb_1', '1700000000')}, v1=00`],
] as const)('takes the %s %j for no seal', ([name, value]) => {
  expect(signatureOf(headers({ [name]: value }))).toBeNull();
});

it('rejects a signature after any bit of headers or body is flipped, for another body, or by another key', () => {
  const parts = ['callback-id', 'callback-timestamp', 'callback-signature', 'body'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...parts), fc.nat(), fc.integer({ min: 0, max: 7 }), (part, place, bit) => {
      const flipped = (bytes: Buffer): Buffer => {
        const copy = Buffer.from(bytes);
        const at = place % copy.length;
        copy[at] = (copy[at] ?? 0) ^ (1 << bit);
        return copy;
      };
      const given = headers();
      const sent = part === 'body' ? flipped(body) : body;
      if (part !== 'body') given[part] = flipped(Buffer.from(given[part] ?? '')).toString('latin1');
      const callbackSignature = signatureOf(given);
      expect(callbackSignature !== null && isSignedWith(callbackSignature, upstreamKey, sent)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
  const callbackSignature = signatureOf(headers());
  expect(callbackSignature !== null && isSignedWith(callbackSignature, 'another key', body)).toBe(false);
});

it.for([
  [-301, false],
  [-300, true],
  [-299, true],
  [0, true],
  [299, true],
  [300, true],
  [301, false],
] as const)('judges the freshness of a callback sent %i s from now: %s', ([offset, fresh]) => {
  const nowMs = 1_700_000_000_999;
  const callbackSignature = { id: 'cb_1', timestamp: String(1_700_000_000 + offset), signature: '' };
  expect(isFresh(callbackSignature, nowMs)).toBe(fresh);
});
