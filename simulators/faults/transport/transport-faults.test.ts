import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ChatDialectName } from '../../answers/native-answer.ts';
import type { JournalEntry, Reply, TenantControl } from '../../control/client.ts';
import { parseAnswer, type RawCall, type RawOptions, rawCall, readChunks } from '../../testing/raw-call.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const text = 'One two three four.';
const deltas = ['One ', 'two ', 'three ', 'four.'];

/** Arms the fault in a fresh tenant and makes one call. */
async function meet(
  fault: NonNullable<Reply['fault']>,
  options: RawOptions = {},
): Promise<{ tenant: TenantControl; raw: RawCall }> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ text, deltas, fault }] });
  return { tenant, raw: rawCall(simulators.base(tenant.name), options) };
}

async function entryOf(tenant: TenantControl): Promise<JournalEntry['reply']> {
  const { entries } = await tenant.journal({ ended: 1 });
  const [entry] = entries;
  if (entry === undefined) throw new Error('nothing arrived');
  return entry.reply;
}

const contentOf = (body: Buffer): string => JSON.parse(body.toString()).choices[0].message.content;

describe('T6 to T8', () => {
  it('say nothing: in silence until the client leaves, by RST, by FIN', async () => {
    const { tenant, raw } = await meet({ id: 'T6' });
    const waiting = await tenant.journal({ waiting: 1 });
    expect(waiting.entries[0]?.reply).toMatchObject({ waiting_at: 'hang', ended: 'open', sends: [] });
    raw.socket.destroy();
    expect(await entryOf(tenant)).toMatchObject({ ended: 'client-gone', status: null });
    for (const [id, how] of [
      ['T7', 'ECONNRESET'],
      ['T8', 'fin'],
    ] as const) {
      const met = await meet({ id });
      expect(await met.raw.over).toBe(how);
      expect(met.raw.bytes()).toHaveLength(0);
      expect(await entryOf(met.tenant)).toMatchObject({
        ended: 'cut',
        status: null,
        sends: [],
        fault: { id },
      });
    }
  });
});

describe('T9', () => {
  it.each([
    ['reset', 'ECONNRESET'],
    ['closed', 'fin'],
  ])('takes away a connection that is used again (%s) and answers the next request', async (form, how) => {
    const tenant = simulators.tenant();
    const base = simulators.base(tenant.name);
    const first = rawCall(base, { connection: 'keep-alive' });
    await first.until((seen) => seen.endsWith('}\n'));
    await tenant.script({ replies: [{ text, fault: { id: 'T9', form } }] });
    // The second request of tenant and route succeeds: only odd requests get the fault.
    const second = rawCall(base, { connection: 'keep-alive', socket: first.socket });
    await second.until((seen) => seen.endsWith('}\n'));
    const third = rawCall(base, { connection: 'keep-alive', socket: first.socket });
    expect(await third.over).toBe(how);
    expect(third.bytes()).toHaveLength(0);
    const fourth = rawCall(base);
    expect(await fourth.over).toBe('fin');
    expect(contentOf(parseAnswer(fourth.bytes()).body)).toBe(text);
  });

  it('answers on a fresh connection', async () => {
    const { raw } = await meet({ id: 'T9' });
    await raw.over;
    expect(contentOf(parseAnswer(raw.bytes()).body)).toBe(text);
  });
});

describe('T10', () => {
  it.each([
    ['undelimited', undefined],
    ['delimited', 'content-length'],
  ])('ends its half after the whole answer and reads on (%s)', async (form, delimiter) => {
    const { tenant, raw } = await meet({ id: 'T10', form });
    expect(await raw.over).toBe('fin');
    const { headers, body } = parseAnswer(raw.bytes());
    expect(contentOf(body)).toBe(text);
    expect([headers.has('content-length'), headers.has('transfer-encoding')]).toEqual([
      delimiter !== undefined,
      false,
    ]);
    expect(await entryOf(tenant)).toMatchObject({ ended: 'cut', status: 200 });
    // The server still reads: it accepts what is written now, and does not reset.
    await new Promise<void>((resolve, reject) => {
      raw.socket.write('x'.repeat(100_000), (error) => (error ? reject(error) : resolve()));
    });
    raw.socket.end();
    await once(raw.socket, 'close');
  });
});

describe('T11', () => {
  it('says everything up to [DONE] and leaves out the last chunk', async () => {
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
  it('sends a byte a second of a plain answer and journals when', async () => {
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

  it('begins after the deltas that are asked for, in a stream that is still one', async () => {
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

describe('T14', () => {
  it('promises more than it sends', async () => {
    for (const form of ['half', 'whole-answer']) {
      const { raw } = await meet({ id: 'T14', form });
      expect(await raw.over).toBe('fin');
      const { headers, body } = parseAnswer(raw.bytes());
      expect(Number(headers.get('content-length'))).toBeGreaterThan(body.length);
      if (form === 'whole-answer') expect(contentOf(body)).toBe(text);
      else expect(() => JSON.parse(body.toString())).toThrow();
    }
  });
});

describe('T15', () => {
  it('sends something after the end that its length announces', async () => {
    const { raw } = await meet({ id: 'T15', form: 'second-answer' });
    await raw.over;
    const { headers, body } = parseAnswer(raw.bytes());
    const length = Number(headers.get('content-length'));
    expect(contentOf(body.subarray(0, length))).toBe(text);
    const second = parseAnswer(body.subarray(length));
    expect(second.body).toHaveLength(Number(second.headers.get('content-length')));
    expect(headers.get('connection')).toBe('keep-alive');
  });

  it('announces its length in two ways', async () => {
    const heads: string[] = [];
    for (const form of ['length-and-chunked', 'two-lengths']) {
      const { raw } = await meet({ id: 'T15', form });
      await raw.over;
      heads.push(raw.text().split('\r\n\r\n')[0] ?? '');
    }
    expect(heads[0]).toMatch(/transfer-encoding: chunked[\s\S]*content-length: 20$/);
    expect(heads[1]?.match(/content-length: \d+/g)).toHaveLength(2);
  });
});

describe('T16', () => {
  it.each([
    ['bad-size', 'zz\r\n'],
    ['size-overflow', 'fffffffffffffffffff\r\n'],
    ['short-chunk', '400\r\n'],
  ])('breaks the coding after one delta: %s', async (form, line) => {
    const { raw } = await meet({ id: 'T16', form }, { call: 'stream' });
    expect(await raw.over).toBe('fin');
    const { body } = parseAnswer(raw.bytes());
    const { chunks } = readChunks(body);
    expect(chunks.slice(0, 2).join('')).toContain('"One "');
    expect(body.toString()).toContain(line);
    expect(body.toString()).not.toContain('[DONE]');
  });

  it('leaves out the last chunk', async () => {
    const { raw } = await meet({ id: 'T16', form: 'no-last-chunk' });
    expect(await raw.over).toBe('fin');
    const { chunks, ended } = readChunks(parseAnswer(raw.bytes()).body);
    expect(contentOf(Buffer.concat(chunks))).toBe(text);
    expect(ended).toBe(false);
  });
});

describe('T17 to T19', () => {
  it('begin with something else than a status line', async () => {
    for (const form of ['banner', 'binary', 'bare-body', 'tls-alert']) {
      const { raw } = await meet({ id: 'T17', form });
      expect(await raw.over).toBe('fin');
      expect(raw.bytes().length).toBeGreaterThan(0);
      expect(raw.text()).not.toMatch(/^HTTP\/1/);
    }
  });

  it('draw the same bytes for the same scope, route and number of the request, and others for the next', async () => {
    const tenant = simulators.tenant();
    const draw = async (): Promise<string> => {
      const raw = rawCall(simulators.base(tenant.name));
      await raw.over;
      return raw.bytes().toString('hex');
    };
    const drawTwice = async (): Promise<string[]> => {
      await tenant.script({ replies: [{ fault: { id: 'T17', form: 'binary' } }] });
      return [await draw(), await draw()];
    };
    const first = await drawTwice();
    await tenant.reset();
    expect(await drawTwice()).toEqual(first);
    expect(first[0]).not.toBe(first[1]);
  });

  it.each(['many', 'one'])('hide a good answer behind 64 KiB of headers: %s', async (form) => {
    const { raw } = await meet({ id: 'T18', form });
    await raw.over;
    const end = raw.bytes().indexOf('\r\n\r\n');
    expect(end).toBeGreaterThan(64 * 1024);
    expect(contentOf(raw.bytes().subarray(end + 4))).toBe(text);
  });

  it('point to another host, where the same tenant would see who follows', async () => {
    const { tenant, raw } = await meet({ id: 'T19' });
    await raw.over;
    const { statusLine, headers } = parseAnswer(raw.bytes());
    expect(statusLine).toBe('HTTP/1.1 307 Temporary Redirect');
    const base = new URL(simulators.base(tenant.name));
    expect(headers.get('location')).toBe(`http://localhost:${base.port}${base.pathname}/chat/completions`);
  });

  it.each([
    ['early-hints', 'HTTP/1.1 103 Early Hints'],
    ['continue', 'HTTP/1.1 100 Continue'],
  ])('send an interim answer before the real one: %s', async (form, line) => {
    const { tenant, raw } = await meet({ id: 'T19', form });
    await raw.over;
    const interim = parseAnswer(raw.bytes());
    expect(interim.statusLine).toBe(line);
    expect(contentOf(parseAnswer(interim.body).body)).toBe(text);
    expect(await entryOf(tenant)).toMatchObject({ status: 200, ended: 'complete' });
  });
});

describe('T20', () => {
  it.each(['chat-completions', 'messages', 'generate-content'] as const)(
    'floods 100 MiB of %s, no faster than they are taken, and the journal keeps one of them',
    async (dialect: ChatDialectName) => {
      const { tenant, raw } = await meet({ id: 'T20' }, { dialect, call: 'stream' });
      await once(raw.socket, 'readable');
      raw.socket.pause();
      const held = (await tenant.journal({ waiting: 1, timeout_ms: 200 })).entries[0]?.reply;
      const heldBytes = held?.sends.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
      expect(heldBytes).toBeLessThan(50 * 1024 * 1024);
      raw.socket.resume();
      expect(await raw.over).toBe('fin');
      expect(raw.bytes().length).toBeGreaterThan(100 * 1024 * 1024);
      expect(raw.bytes().subarray(-5).toString()).toBe('0\r\n\r\n');
      const entry = await entryOf(tenant);
      expect(entry.ended).toBe('complete');
      expect(Buffer.from(entry.body_base64, 'base64')).toHaveLength(1024 * 1024);
    },
  );
});
