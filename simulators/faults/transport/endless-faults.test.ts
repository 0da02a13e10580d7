import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { contentOf, entryOf, meetingOn, text } from '../../testing/meeting.ts';
import { parseAnswer, readChunks } from '../../testing/raw-call.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });
const meet = meetingOn(simulators);

describe('T10', () => {
  it.each([
    ['undelimited', undefined],
    ['delimited', 'content-length'],
  ])('sends FIN after the whole answer and keeps reading (%s)', async (form, delimiter) => {
    const { tenant, raw } = await meet({ id: 'T10', form });
    expect(await raw.over).toBe('fin');
    const { headers, body } = parseAnswer(raw.bytes());
    expect(contentOf(body)).toBe(text);
    expect([headers.has('content-length'), headers.has('transfer-encoding')]).toEqual([
      delimiter !== undefined,
      false,
    ]);
    expect(await entryOf(tenant)).toMatchObject({ ended: 'cut', status: 200 });
    // The server still reads: it accepts further bytes and does not reset the connection.
    await new Promise<void>((resolve, reject) => {
      raw.socket.write('x'.repeat(100_000), (error) => (error ? reject(error) : resolve()));
    });
    raw.socket.end();
    await once(raw.socket, 'close');
  });
});

describe('T11', () => {
  it('sends everything up to [DONE] but not the last chunk', async () => {
    const { tenant, raw } = await meet({ id: 'T11' }, { call: 'stream' });
    await tenant.journal({ waiting: 1 });
    await raw.until((seen) => seen.includes('[DONE]'));
    const { body } = parseAnswer(raw.bytes());
    const { chunks, ended } = readChunks(body);
    expect(chunks.at(-1)?.toString()).toBe('data: [DONE]\n\n');
    expect(ended).toBe(false);
    raw.socket.destroy();
    expect((await entryOf(tenant)).ended).toBe('client-gone');
  });
});

describe('T12', () => {
  it('sends one byte per second of a plain answer, and records the times in the journal', async () => {
    const { tenant, raw } = await meet({ id: 'T12' });
    await raw.until((seen) => seen.includes('\r\n\r\n'));
    await simulators.control.advance(3000);
    await raw.until((seen) => parseAnswer(Buffer.from(seen)).body.length >= 3);
    expect(parseAnswer(raw.bytes()).body.toString()).toBe('{  ');
    raw.socket.destroy();
    const { sends } = await entryOf(tenant);
    const startMs = sends[0]?.intended_ms ?? 0;
    expect(sends.slice(1, 4).map((send) => Math.round(send.intended_ms - startMs))).toEqual([
      1000, 2000, 3000,
    ]);
    expect(sends.every((send) => send.actual_ms >= send.intended_ms)).toBe(true);
  });

  it('sends a byte every five seconds in its other form', async () => {
    const { tenant, raw } = await meet({ id: 'T12', form: 'every-5-seconds' });
    await raw.until((seen) => seen.includes('\r\n\r\n'));
    await simulators.control.advance(10_000);
    await raw.until((seen) => parseAnswer(Buffer.from(seen)).body.length >= 2);
    raw.socket.destroy();
    const { sends } = await entryOf(tenant);
    const startMs = sends[0]?.intended_ms ?? 0;
    expect(sends.slice(1, 3).map((send) => Math.round(send.intended_ms - startMs))).toEqual([5000, 10_000]);
  });

  it('starts after the given number of deltas of a valid stream', async () => {
    const { raw } = await meet({ id: 'T12', after: 2 }, { call: 'stream' });
    await raw.until((seen) => seen.includes('two '));
    await simulators.control.advance(10_000);
    await raw.until((seen) => readChunks(parseAnswer(Buffer.from(seen)).body).chunks.length >= 13);
    const { chunks } = readChunks(parseAnswer(raw.bytes()).body);
    expect(chunks.slice(0, 3).join('')).toMatch(/"One ".*"two "/s);
    expect(chunks.slice(3, 13).map(String).join('')).toBe('data: {   ');
  });
});

describe('T13', () => {
  it('sends a header a minute and never ends its head', async () => {
    const { raw } = await meet({ id: 'T13' });
    await raw.until((seen) => seen === 'HTTP/1.1 200 OK\r\n');
    await simulators.control.advance(60 * 60_000);
    await raw.until((seen) => seen.split('\r\n').length === 62);
    expect(raw.text()).not.toContain('\r\n\r\n');
    expect(raw.text()).toContain('x-minute-60: ');
  });
});
