import { expect, it } from 'vitest';
import { valueAt } from '../../json/json-body.ts';
import { post } from '../../testing/post.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators();

interface Image {
  readonly url?: string;
  readonly base64?: string;
}

/** Requests images from the faulty upstream, and returns the answer. */
async function pictures(
  id: string,
  form: string,
  output: 'url' | 'base64',
  count = 3,
): Promise<{ images: Image[] | undefined; filtered: unknown; fault: unknown }> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ fault: { id, form } }] });
  const answer = await post(
    `${simulators.base(tenant.name, 'pictures')}/images/generations`,
    { model: 'a2-image-2026-08', prompt: 'the sea', count, output },
    { authorization: 'Bearer sk-upstream' },
  );
  expect(answer.status).toBe(200);
  const [entry] = (await tenant.journal({ ended: 1 })).entries;
  const body = answer.json();
  const images = valueAt(body, ['data']) as Image[] | undefined;
  return { images, filtered: valueAt(body, ['filtered']), fault: entry?.reply.fault };
}

it.each([
  ['fewer', 2, undefined],
  ['none', 0, undefined],
  ['fewer-filtered', 2, { count: 1, code: 'content_policy_violation' }],
  ['none-filtered', 0, { count: 3, code: 'content_policy_violation' }],
  ['absent', undefined, undefined],
])('M12 %s returns fewer images', async (form, count, filtered) => {
  const got = await pictures('M12', form, 'url');
  expect([got.images?.length, got.filtered]).toEqual([count, filtered]);
  expect(got.fault).toEqual({ id: 'M12', form, after: null, applied: true });
});

/**
 * The bytes of the first image, inline or behind a link; the status when the link fails, or null without one.
 */
async function bytesOf(form: string, output: 'url' | 'base64'): Promise<Buffer | number | null> {
  const { images: [image = {}] = [] } = await pictures('M13', form, output, 1);
  if (image.base64 !== undefined) return Buffer.from(image.base64, 'base64');
  if (URL.parse(image.url ?? '') === null) return null;
  const response = await fetch(image.url ?? '', { headers: { connection: 'close' } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.ok ? bytes : response.status;
}

it.each(['url', 'base64'] as const)(
  'M13 returns an invalid, incomplete or oversized image as %s',
  async (output) => {
    const isPng = (bytes: Buffer | number | null): boolean =>
      Buffer.isBuffer(bytes) && bytes.toString('latin1', 1, 4) === 'PNG';
    const cut = await bytesOf('cut', output);
    expect([isPng(cut), Buffer.isBuffer(cut) && cut.includes('IEND')]).toEqual([true, false]);
    const jpegs = await Promise.all(['cut-jpeg', 'no-scan'].map((form) => bytesOf(form, output)));
    const [scan, end] = [Buffer.from([0xff, 0xda]), Buffer.from([0xff, 0xd9])];
    const parts = jpegs.map((bytes) =>
      Buffer.isBuffer(bytes) ? [bytes.includes(scan), bytes.includes(end)] : bytes,
    );
    expect(parts).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(String(await bytesOf('html', output))).toContain('<html>');
    expect(String(await bytesOf('text', output))).toContain('a small boat');
    const large = await bytesOf('too-large', output);
    expect(Buffer.isBuffer(large) ? large.readUInt32BE(16) : 0).toBe(4112);
    expect(await bytesOf('dead-link', output)).toBe(404);
    expect(isPng(await bytesOf('garbled', output))).toBe(false);
    expect(await bytesOf('neither', output)).toBe(null);
  },
);
