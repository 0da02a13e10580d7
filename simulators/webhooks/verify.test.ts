import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { seededRandom } from '../random.ts';
import { headerOf, newKey, nowSeconds, oldKey, signed, withHeader } from './testing/signed.ts';
import { type IncomingEvent, type Verdict, verifyEvent } from './verify.ts';

function verdictOn(
  event: IncomingEvent,
  keys: readonly Uint8Array[] = [newKey],
  nowMs = nowSeconds * 1000,
): Verdict {
  return verifyEvent(event, { keys, nowMs });
}

/** The verdict on an event whose timestamp differs from now by the given seconds. Negative is in the past. */
function verdictAt(offset: number, withinSecondMs = 0): string {
  const event = signed({ timestamp: String(nowSeconds + offset) });
  const verdict = verdictOn(event, [newKey], nowSeconds * 1000 + withinSecondMs);
  return verdict.ok ? 'accepted' : verdict.refusal;
}

it.each([
  [-301, 'too_old'],
  [-300, 'accepted'],
  [-299, 'accepted'],
  [0, 'accepted'],
  [299, 'accepted'],
  [300, 'accepted'],
  [301, 'too_new'],
])(
  'judges an event %i s from now as %s, at the beginning and at the end of the second',
  (offset, expected) => {
    expect(verdictAt(offset)).toBe(expected);
    expect(verdictAt(offset, 999.999)).toBe(expected);
  },
);

it.each([
  `${nowSeconds}junk`,
  `${nowSeconds}.9`,
  '1.9',
  ` ${nowSeconds}`,
  `${nowSeconds} `,
  '1e9',
  `+${nowSeconds}`,
  '0x1',
  `0${nowSeconds}`,
  `-${nowSeconds}`,
  '-0',
  `${nowSeconds}000000`,
  '9'.repeat(400),
  'NaN',
  'Infinity',
  '2025-11-22T08:26:40Z',
  '١٧٦٣٨٠٠٠٠٠',
])('reads no time in %j, though it was signed', (timestamp) => {
  expect(verdictOn(signed({ timestamp }))).toMatchObject({
    refusal: 'bad_timestamp',
    header: 'webhook-timestamp',
  });
});

it('requires each of the four headers, once and not empty', () => {
  const event = signed();
  for (const [name, value] of event.headers) {
    const without = { ...event, headers: event.headers.filter(([key]) => key !== name) };
    expect(verdictOn(without)).toMatchObject({ refusal: 'missing', header: name });
    expect(verdictOn(withHeader(event, name, ''))).toMatchObject({ refusal: 'missing', header: name });
    const again = { ...event, headers: [...event.headers, [name.toUpperCase(), value] as const] };
    expect(verdictOn(again)).toMatchObject({ refusal: 'repeated', header: name });
  }
});

it('reads names of headers in any case', () => {
  const event = signed();
  const headers = event.headers.map(([name, value]) => [name.toUpperCase(), value] as const);
  expect(verdictOn({ ...event, headers })).toEqual({ ok: true, id: 'evt_1', timestamp: nowSeconds });
});

it.each(['evt.1', 'evt 1', 'évt', 'evt\u0000', 'e'.repeat(257)])('takes no %j for an id', (id) => {
  expect(verdictOn(signed({ id }))).toMatchObject({ refusal: 'bad_id', header: 'webhook-id' });
});

it('rejects an id with a dot, which could give another event the same signature', () => {
  const body = Buffer.from('1763800000.{}');
  const event = signed({ id: 'evt', timestamp: '1', body });
  const moved = { body: Buffer.from('{}'), headers: signed({ id: 'evt.1' }).headers };
  const signature = headerOf(event, 'webhook-signature');
  expect(verdictOn(withHeader(moved, 'webhook-signature', signature)).ok).toBe(false);
});

it.each([
  ['signed 9 s ago, service timestamp now', -9, 0, 'bad_timestamp'],
  ['signed now, service timestamp an hour old', 0, -3600, 'too_old'],
  ['signed now, service timestamp an hour ahead', 0, 3600, 'too_new'],
  ['signed an hour ago, service timestamp now', -3600, 0, 'too_old'],
])('requires both timestamps to be recent and equal: %s', (_, apart, serviceApart, refusal) => {
  const event = signed({ timestamp: String(nowSeconds + apart) });
  const two = withHeader(event, 'x-service-timestamp', String(nowSeconds + serviceApart));
  expect(verdictOn(two)).toMatchObject({ ok: false, refusal });
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined as unknown as number, null as unknown as number])(
  'rejects every event if the clock returns %j',
  (nowMs) => {
    const verdict = verifyEvent(signed(), { keys: [newKey], nowMs });
    expect(verdict).toMatchObject({ ok: false, refusal: nowMs === null ? 'too_new' : 'no_clock' });
  },
);

it.each([
  ['old', [oldKey]],
  ['new', [newKey]],
  ['old and new', [oldKey, newKey]],
  ['new and old', [newKey, oldKey]],
])('accepts events signed with the %s secret during a rotation', (_, keys) => {
  expect(verdictOn(signed({ keys }), [newKey, oldKey]).ok).toBe(true);
  expect(verdictOn(signed({ keys }), [oldKey, newKey]).ok).toBe(true);
  expect(verdictOn(signed({ keys }), [newKey]).ok).toBe(keys.includes(newKey));
});

it('ignores signatures of unknown versions, and never accepts one', () => {
  const event = signed();
  const signature = headerOf(event, 'webhook-signature');
  const verdictWith = (value: string): Verdict => verdictOn(withHeader(event, 'webhook-signature', value));
  expect(verdictWith(`v2,AAAA v1a,${signature.slice(3)} ${signature}`).ok).toBe(true);
  for (const other of [signature.replace('v1', 'v2'), signature.replace('v1', 'V1'), signature.slice(3)])
    expect(verdictWith(other)).toMatchObject({ refusal: 'bad_signature' });
});

it('checks at most 32 signatures', () => {
  const signature = headerOf(signed(), 'webhook-signature');
  const verdictAfter = (count: number): boolean =>
    verdictOn(withHeader(signed(), 'webhook-signature', `${'v1,AAAA '.repeat(count)}${signature}`)).ok;
  expect([verdictAfter(31), verdictAfter(32)]).toEqual([true, false]);
});

it('uses the exact bytes of the body, text or not', () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  expect(verdictOn(signed({ body: bytes })).ok).toBe(true);
  const readAsText = Buffer.from(bytes.toString('utf8'));
  expect(verdictOn({ ...signed({ body: bytes }), body: readAsText }).ok).toBe(false);
});

it('rejects 10,000 events with one flipped bit in id, timestamp, body or signature', () => {
  const random = seededRandom('one bit of an event', 8);
  const event = signed({ keys: [newKey], body: Buffer.from('{"type":"task.success","data":{"n":1.0}}') });
  const parts = [...event.headers.map(([name]) => name), 'body'];
  const accepted: string[] = [];
  for (let n = 0; n < 10_000; n += 1) {
    const part = random.pick(parts);
    const bytes = Buffer.from(part === 'body' ? event.body : Buffer.from(headerOf(event, part), 'latin1'));
    const at = random.below(bytes.length);
    const bit = random.below(8);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    const flipped =
      part === 'body' ? { ...event, body: bytes } : withHeader(event, part, bytes.toString('latin1'));
    if (verdictOn(flipped).ok) accepted.push(`${part} byte ${at} bit ${bit}`);
  }
  expect(accepted).toEqual([]);
});

it('accepts signatures of another implementation, and vice versa', () => {
  const body = Buffer.from('{"größe":1.0}');
  const library = new Webhook(`whsec_${newKey.toString('base64')}`);
  const signature = library.sign('evt_1', new Date(nowSeconds * 1000), body);
  expect(verdictOn(withHeader(signed({ body, keys: [oldKey] }), 'webhook-signature', signature)).ok).toBe(
    true,
  );
  // The library reads the time by itself.
  const event = signed({ body, timestamp: String(Math.floor(Date.now() / 1000)) });
  expect(library.verify(body, Object.fromEntries(event.headers))).toEqual({ größe: 1 });
});

it('explains the error without a secret or the correct signature', () => {
  const right = headerOf(signed(), 'webhook-signature');
  const verdict = verdictOn(withHeader(signed(), 'webhook-signature', 'v1,AAAA'));
  expect(verdict).toMatchObject({ message: 'The event has no signature that is known here.' });
  expect(JSON.stringify(verdict)).not.toContain(right.slice(3));
});
