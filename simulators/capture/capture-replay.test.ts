import { describe, expect, it } from 'vitest';
import { createClock } from '../clock.ts';
import type { Reply } from '../control/protocol.ts';
import { parseUpstream } from '../http/upstream.ts';
import { parseCapture, type RecordedExchange } from '../recordings/capture-file.ts';
import { bytesOf } from '../recordings/recorded.ts';
import { type RawCall, rawCall } from '../testing/raw-call.ts';
import { useSimulators } from '../testing/simulators.ts';
import { startCapture } from './capture-proxy.ts';

const simulators = useSimulators();

const deltas = ['It was ', 'a dark and ', 'stormy night.'];

/** The behaviour of an upstream, and the end that the client sees. */
const cases: readonly { name: string; reply: Reply; over: string }[] = [
  {
    name: 'a reset in the middle of a stream',
    reply: { deltas, fault: { id: 'S3', after: 2 } },
    over: 'ECONNRESET',
  },
  { name: 'an error frame inside a 200', reply: { deltas, fault: { id: 'S8' } }, over: 'fin' },
  { name: 'a stream without [DONE]', reply: { deltas, fault: { id: 'S1' } }, over: 'fin' },
  {
    name: 'a 429 with an odd Retry-After',
    reply: { fault: { id: 'H5', form: 'list' } },
    over: 'fin',
  },
  { name: 'an HTML 502', reply: { fault: { id: 'H12', form: '502' } }, over: 'fin' },
  { name: 'bytes that are no text', reply: { fault: { id: 'P1', form: 'gzip' } }, over: 'fin' },
  {
    name: 'a reset before any byte',
    reply: { fault: { id: 'T7' } },
    over: 'ECONNRESET',
  },
  {
    name: 'half a connection that is closed',
    reply: { deltas: ['one ', 'two'], cut: { after: 1, by: 'half-close' } },
    over: 'fin',
  },
];

describe('a captured fault', () => {
  it.each(cases)('replays the same bytes and the same end: $name', async ({ reply, over }) => {
    const { exchange, bytes, ended } = await captured(reply);
    expect(ended).toBe(over);
    expect(Buffer.concat(exchange.response.chunks.map(bytesOf)).toString('latin1')).toBe(bytes);
    const replayed = await replayOf(exchange);
    expect(await replayed.over).toBe(over);
    expect(replayed.bytes().toString('latin1')).toBe(bytes);
  });

  it('is recorded with the end of its connection', async () => {
    const ends = await Promise.all(
      (['fin', 'rst', 'half-close'] as const).map(async (by) => {
        const { exchange } = await captured({ deltas: ['one ', 'two'], cut: { after: 1, by } });
        return exchange.response.ended;
      }),
    );
    expect(ends).toEqual(['fin', 'rst', 'half-close']);
  });

  it('replays silence of an upstream that hung until the capture ended', async () => {
    const exchange = await capturedUntil({ deltas: ['one ', 'two'], hang: 1 }, 'stop');
    expect(exchange.response.ended).toBe('silence');
    await expectSilence(exchange);
  });

  it('replays silence after a client that disconnected', async () => {
    const exchange = await capturedUntil({ deltas: ['one ', 'two'], hang: 1 }, 'leave');
    expect(exchange.response.ended).toBe('client-left');
    await expectSilence(exchange);
  });

  it('replays a half-close and keeps reading', async () => {
    const { exchange } = await captured({ deltas: ['one ', 'two'], cut: { after: 1, by: 'half-close' } });
    const replayed = await replayOf(exchange);
    await replayed.over;
    // If the upstream had closed both halves, it would reset the first write and fail the second.
    const write = (): Promise<Error | null | undefined> =>
      new Promise((resolve) => replayed.socket.write('more\r\n', resolve));
    expect([await write(), await write()].map((error) => error ?? null)).toEqual([null, null]);
  });
});

describe('the times of a capture', () => {
  it('are the deadlines of its replay', async () => {
    const { exchange } = await captured({ deltas: ['one ', 'two ', 'three'], pacing: { each_ms: 40 } });
    const times = exchange.response.chunks.map((chunk) => chunk.at_ms);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(70);
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ replay: exchange.response }] });
    await rawCall(simulators.base(tenant.name), { call: 'stream' }).over;
    const { entries } = await tenant.journal({ ended: 1 });
    const { sends = [], ended } = entries[0]?.reply ?? {};
    const startMs = (sends[0]?.intended_ms ?? 0) - (times[0] ?? 0);
    expect(sends.map((send) => Math.round((send.intended_ms - startMs) * 1000) / 1000)).toEqual(times);
    for (const send of sends) expect(send.actual_ms).toBeGreaterThanOrEqual(send.intended_ms - 0.01);
    expect(ended).toBe('complete');
  });
});

describe('a replay in a script', () => {
  it('is rejected together with any member that shapes an answer', async () => {
    const replay = { chunks: [], ended: 'fin', ended_at_ms: 0 } as const;
    const arming = simulators.tenant().script({ replies: [{ replay, text: 'no' }] });
    await expect(arming).rejects.toMatchObject({ path: 'replies[0].text' });
  });

  it('is rejected if its times run backwards', async () => {
    const chunks = [
      { at_ms: 5, text: 'HTTP/1.1 200 OK\r\n' },
      { at_ms: 4, text: '\r\n' },
    ];
    const arming = simulators
      .tenant()
      .script({ replies: [{ replay: { chunks, ended: 'fin', ended_at_ms: 9 } }] });
    await expect(arming).rejects.toMatchObject({ path: 'replies[0].replay.chunks[1].at_ms' });
  });
});

interface Captured {
  readonly exchange: RecordedExchange;
  /** The bytes that the client of the capture received, in latin1. */
  readonly bytes: string;
  readonly ended: string;
}

/** Runs a client through a capture against an upstream with this behaviour, until the connection ends. */
async function captured(reply: Reply): Promise<Captured> {
  const { call, close } = await callThrough(reply);
  const ended = await call.over;
  return { exchange: await close(), bytes: call.bytes().toString('latin1'), ended };
}

/** The same with an upstream that falls silent. */
async function capturedUntil(reply: Reply, by: 'stop' | 'leave'): Promise<RecordedExchange> {
  const { call, tenant, close } = await callThrough(reply);
  await call.until((text) => text.includes('one '));
  if (by === 'leave') {
    call.socket.destroy();
    await tenant.journal({ ended: 1 });
  }
  return close();
}

async function callThrough(reply: Reply) {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [reply] });
  const base = new URL(simulators.base(tenant.name));
  const capture = await startCapture({ upstream: parseUpstream(base.origin), clock: createClock(), port: 0 });
  const close = async (): Promise<RecordedExchange> => {
    const [exchange] = parseCapture(JSON.stringify(await capture.close()), 'test').exchanges;
    if (exchange === undefined) throw new Error('nothing was recorded');
    return exchange;
  };
  return { call: rawCall(`${capture.url}${base.pathname}`, { call: 'stream' }), tenant, close };
}

async function replayOf({ response }: RecordedExchange): Promise<RawCall> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ replay: response }] });
  return rawCall(simulators.base(tenant.name), { call: 'stream' });
}

async function expectSilence(exchange: RecordedExchange): Promise<void> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ replay: exchange.response }] });
  const call = rawCall(simulators.base(tenant.name), { call: 'stream' });
  const { entries } = await tenant.journal({ waiting: 1 });
  expect(entries[0]?.reply.waiting_at).toBe('hang');
  const whole = Buffer.concat(exchange.response.chunks.map(bytesOf)).toString();
  await call.until((text) => text.length >= whole.length);
  expect(call.text()).toBe(whole);
}
