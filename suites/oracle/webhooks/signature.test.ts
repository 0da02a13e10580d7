import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createRng } from '../../values/seed.ts';
import { eventHeaders, isWebhookSecret, type SignedContent, secretBytes } from './sign.ts';
import { type SignatureVerdict, verifySignature } from './signature.ts';

const [old, current] = [
  secretOf('an old secret of thirty-two byte'),
  secretOf('a new secret of thirty-two bytes'),
];
const content: SignedContent = {
  id: 'evt_1',
  timestamp: '1763800000',
  body: Buffer.from('{"type":"task.success"}'),
};

function secretOf(text: string): string {
  return `whsec_${Buffer.from(text).toString('base64')}`;
}

/**
 * The verdict on an event whose headers are signed by `current`, with some of them replaced (null: omitted).
 */
function verdictOn(
  replaced: Readonly<Record<string, string | null>>,
  { secrets = [current], body = content.body }: { secrets?: string[]; body?: Uint8Array } = {},
): SignatureVerdict {
  const headers = eventHeaders([current], content).flatMap(([name, value]) => {
    const other = replaced[name];
    return other === null ? [] : [[name, other ?? value] as const];
  });
  return verifySignature({ headers, body }, secrets);
}

it('accepts its own signatures, and names their secret', () => {
  expect(verdictOn({})).toEqual({ ok: true, secret: 0, id: 'evt_1', timestamp: 1_763_800_000 });
  expect(verdictOn({}, { secrets: [old, current] })).toMatchObject({ ok: true, secret: 1 });
});

it.each([
  [[old], [old]],
  [[current], [old, current]],
  [[old, current], [current]],
  [[current, old], [current]],
])('accepts an event signed with several secrets, at any position in the header', (signing, holding) => {
  const headers = eventHeaders(signing, content);
  expect(verifySignature({ headers, body: content.body }, holding).ok).toBe(true);
});

it('ignores signatures of unknown versions', () => {
  const [, , , , [, signature] = ['', '']] = eventHeaders([current], content);
  expect(verdictOn({ 'webhook-signature': `v2,AAAA v1a,BBBB ${signature}` }).ok).toBe(true);
  expect(verdictOn({ 'webhook-signature': signature.replace('v1', 'v2') })).toMatchObject({
    fault: 'version',
  });
});

it('reports the error of an event', () => {
  expect(verdictOn({ 'webhook-id': null })).toMatchObject({ fault: 'missing' });
  expect(verdictOn({ 'webhook-signature': '' })).toMatchObject({ fault: 'missing' });
  expect(verdictOn({ 'webhook-id': 'evt.1' })).toMatchObject({ fault: 'id' });
  expect(verdictOn({}, { body: Buffer.from('{}') })).toMatchObject({ fault: 'mismatch' });
  expect(verdictOn({}, { secrets: [old] })).toMatchObject({ fault: 'mismatch' });
  const twice = [...eventHeaders([current], content), ['Webhook-Id', 'evt_2'] as const];
  expect(verifySignature({ headers: twice, body: content.body }, [current])).toMatchObject({
    fault: 'repeated',
  });
});

it.each(['', '1763800000junk', '1763800000.0', ' 1763800000', '+1763800000', '1e9', '0x1', '-1', '01'])(
  'rejects the signed timestamp %j',
  (timestamp) => {
    const headers = eventHeaders([current], { ...content, timestamp });
    const verdict = verifySignature({ headers, body: content.body }, [current]);
    expect(verdict).toMatchObject({ fault: timestamp === '' ? 'missing' : 'timestamp' });
  },
);

it('rejects an event with one changed bit in id, timestamp, body or signature', () => {
  const rng = createRng(8, 'bits of an event');
  const values = new Map(eventHeaders([current], content));
  for (let n = 0; n < 1_000; n += 1) {
    const part = rng.pick(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'body']);
    const bytes = Buffer.from(part === 'body' ? content.body : Buffer.from(values.get(part) ?? '', 'latin1'));
    const at = rng.int(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << rng.int(8));
    const verdict =
      part === 'body' ? verdictOn({}, { body: bytes }) : verdictOn({ [part]: bytes.toString('latin1') });
    expect(verdict.ok, `${part} byte ${at}`).toBe(false);
  }
});

it('agrees with another implementation of the scheme, both ways', () => {
  const library = new Webhook(current);
  // The library only accepts events of the present.
  const now = { ...content, timestamp: String(Math.floor(Date.now() / 1000)) };
  const body = Buffer.from(now.body);
  expect(library.verify(body, Object.fromEntries(eventHeaders([current], now)))).toEqual({
    type: 'task.success',
  });
  const signed = library.sign(content.id, new Date(1_763_800_000_000), body);
  expect(verdictOn({ 'webhook-signature': signed }).ok).toBe(true);
});

it('distinguishes a secret from another text, and never shows the text', () => {
  expect([current, current.slice('whsec_'.length), 'whsec_AAAA'].map(isWebhookSecret)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['', 'whsec_', 'whsec_A', 'my secret!', 'whsec_AA=A'].map(isWebhookSecret)).toEqual(
    Array(5).fill(false),
  );
  expect(() => secretBytes('my secret!')).toThrow(/^a webhook secret must be whsec_ followed by base64$/);
});
