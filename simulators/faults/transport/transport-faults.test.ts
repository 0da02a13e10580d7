import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ChatDialectName } from '../../answers/native-answer.ts';
import { contentOf, entryOf, meetingOn, text } from '../../testing/meeting.ts';
import { parseAnswer, rawCall, readChunks } from '../../testing/raw-call.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });
const meet = meetingOn(simulators);

describe('T6 to T8', () => {
  it('send nothing: silence until the client disconnects, RST, or FIN', async () => {
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
  ])('ends a reused connection (%s) and answers the next request', async (form, how) => {
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
  it('sends bytes after its announced length', async () => {
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

  it('omits the last chunk', async () => {
    const { raw } = await meet({ id: 'T16', form: 'no-last-chunk' });
    expect(await raw.over).toBe('fin');
    const { chunks, ended } = readChunks(parseAnswer(raw.bytes()).body);
    expect(contentOf(Buffer.concat(chunks))).toBe(text);
    expect(ended).toBe(false);
  });
});

describe('T17 to T19', () => {
  it('begin with bytes that are not a status line', async () => {
    for (const form of ['banner', 'binary', 'bare-body', 'tls-alert']) {
      const { raw } = await meet({ id: 'T17', form });
      expect(await raw.over).toBe('fin');
      expect(raw.bytes().length).toBeGreaterThan(0);
      expect(raw.text()).not.toMatch(/^HTTP\/1/);
    }
  });

  it('draw the same bytes for the same tenant, route and request number, and other bytes for the next', async () => {
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

  it.each(['many', 'one'])('put 64 KiB of headers before a good answer: %s', async (form) => {
    const { raw } = await meet({ id: 'T18', form });
    await raw.over;
    const end = raw.bytes().indexOf('\r\n\r\n');
    expect(end).toBeGreaterThan(64 * 1024);
    expect(contentOf(raw.bytes().subarray(end + 4))).toBe(text);
  });

  it('redirect to another host that leads to the same tenant', async () => {
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
    'sends 100 MiB of %s only as fast as the client reads, and the journal keeps 1 MiB',
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
