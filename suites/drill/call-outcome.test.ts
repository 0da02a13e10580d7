import { describe, expect, it } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { againstUpstream, outcomeOfCall } from './call-outcome.ts';
import { planCalls } from './planned-calls.ts';

const all = planCalls({ seed: 1, rate: 1, forMs: 60_000, models: ['m'], run: 'r' });
const plain = all.find(({ isStream }) => !isStream);
const stream = all.find(({ isStream }) => isStream);
if (plain === undefined || stream === undefined) throw new Error('the plan has calls of both kinds');

const nowMs = 1_800_000_000_000;
const created = nowMs / 1_000;

function exchange(body: string, { status = 200, type = 'application/json', complete = true } = {}): Exchange {
  return {
    ...{ label: 'call', error: complete ? null : 'reset', sentAt: nowMs, endedAt: nowMs },
    request: { method: 'POST', url: 'http://gw/', headers: [], body: Buffer.alloc(0) },
    response: {
      ...{ status, headers: [['content-type', type]], firstByteMs: 1, endMs: 1, complete },
      body: Buffer.from(body),
    },
  };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const message = { role: 'assistant', content: 'Good day.' };
const whole = {
  ...{ id: 'c1', object: 'chat.completion', created, model: 'm', usage },
  choices: [{ index: 0, message, finish_reason: 'stop' }],
};
const chunk = (delta: object, finish: string | null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
const first = chunk({ role: 'assistant', content: 'Good ' }, null);
const events = { type: 'text/event-stream' };

const messageStart = {
  type: 'message_start',
  message: {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'm',
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};
const messageEvents = [
  messageStart,
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good day.' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 3 },
  },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
const messageStream = { ...stream, protocol: 'compat-a', isStream: true } as const;

describe('an answer of a compat path', () => {
  it('is truncated without its end, and wrong in the form of another protocol', () => {
    const cut = exchange(messageEvents.slice(0, -1).join(''), events);
    expect(outcomeOfCall(cut, messageStream, 0)).toMatchObject({ kind: 'truncated' });
    const other = exchange(JSON.stringify(whole));
    expect(outcomeOfCall(other, { ...plain, protocol: 'compat-a' }, 0)).toMatchObject({ kind: 'wrong' });
  });
});

describe('an answer', () => {
  it('is wrong when it violates a rule', () => {
    const other = { ...whole, model: 'another' };
    expect(outcomeOfCall(exchange(JSON.stringify(other)), plain, 0)).toMatchObject({ kind: 'wrong' });
  });

  it('is truncated without its end, even if the connection did not break', () => {
    expect(outcomeOfCall(exchange(first, events), stream, 0).kind).toBe('truncated');
    expect(outcomeOfCall(exchange(first, { ...events, complete: false }), stream, 0).kind).toBe('truncated');
    expect(outcomeOfCall(exchange('{"id"', { complete: false }), plain, 0).kind).toBe('truncated');
  });

  it('has the code of its error, before or within the stream', () => {
    const error = { error: { type: 'api_error', code: 'upstream_error', message: 'It failed.' } };
    const refused = exchange(JSON.stringify(error), { status: 502 });
    expect(outcomeOfCall(refused, plain, 0)).toMatchObject({ kind: 'refused', code: 'upstream_error' });
    const broken = exchange(`${first}data: ${JSON.stringify(error)}\n\n`, events);
    expect(outcomeOfCall(broken, stream, 0)).toMatchObject({ kind: 'broken', code: 'upstream_error' });
    const page = exchange('<html>', { status: 500 });
    expect(outcomeOfCall(page, plain, 0)).toMatchObject({ kind: 'refused', code: 'HTTP 500' });
  });

  it("is compared with the upstream's text", () => {
    const ok = { kind: 'ok', code: 'ok', text: 'Good day.', detail: '' } as const;
    expect(againstUpstream(ok, ['Good day.']).kind).toBe('ok');
    expect(againstUpstream(ok, []).kind).toBe('ok');
    expect(againstUpstream(ok, ['Good day. And night.']).kind).toBe('truncated');
    expect(againstUpstream(ok, ['Something else.']).kind).toBe('wrong');
  });
});
