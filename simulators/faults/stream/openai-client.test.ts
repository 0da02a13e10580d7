import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../control/protocol.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { lateText } from './s26-late-frames.ts';
import { toldDeltas } from './testing/fault-cells.ts';

const simulators = useSimulators();

const ask = { model: 'd3-2026-07-11', messages: [{ role: 'user' as const, content: 'Say something.' }] };
const usage = { prompt_tokens: 1431, completion_tokens: 29 };

/** What the official client makes of one stream. */
interface Seen {
  readonly text: string;
  readonly finish: string | null;
  readonly usage: OpenAI.CompletionUsage | null;
  readonly error: unknown;
}

async function clientWith(reply: Reply): Promise<OpenAI> {
  const lane = simulators.lane();
  await lane.script({ replies: [reply] });
  return new OpenAI({
    apiKey: 'sk-any',
    baseURL: simulators.base(lane.name),
    maxRetries: 0,
    logLevel: 'off',
  });
}

async function streamThrough(reply: Reply): Promise<Seen> {
  const client = await clientWith(reply);
  let text = '';
  let finish: string | null = null;
  let counted: OpenAI.CompletionUsage | null = null;
  const options = { ...ask, stream: true as const, stream_options: { include_usage: true } };
  try {
    for await (const chunk of await client.chat.completions.create(options)) {
      text += chunk.choices[0]?.delta?.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
      counted = chunk.usage ?? counted;
    }
  } catch (error) {
    return { text, finish, usage: counted, error };
  }
  return { text, finish, usage: counted, error: null };
}

const withFault = (id: string, form?: string): Promise<Seen> =>
  streamThrough({ deltas: [...toldDeltas], usage, fault: form === undefined ? { id } : { id, form } });

const whole = toldDeltas.join('');
const begun = toldDeltas.slice(0, 2).join('');

describe('the official client', () => {
  it('sees no error in a stream that just ends', async () => {
    expect(await withFault('S2', 'between-frames')).toMatchObject({ text: begun, finish: null, error: null });
  });

  it('throws a TypeError when the connection is reset or its chunks are unfinished', async () => {
    for (const seen of [await withFault('S3'), await withFault('S2', 'unfinished-chunks')]) {
      expect(seen).toMatchObject({ text: begun, finish: null });
      expect(seen.error).toBeInstanceOf(TypeError);
    }
  });

  it('throws a SyntaxError at an event that is no JSON', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const seen = await streamThrough({ headers, body: 'data: {"choices":[{]}\n\ndata: [DONE]\n\n' });
    expect(seen.error).toBeInstanceOf(SyntaxError);
    expect((await withFault('S2', 'inside-json')).error).toBeInstanceOf(SyntaxError);
  });

  it('takes an empty answer for none', async () => {
    const client = await clientWith({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '',
    });
    expect(await client.chat.completions.create(ask)).toBeUndefined();
  });

  it('throws its own error at one inside the stream, also before a good mark', async () => {
    for (const [id, form, text] of [
      ['S7', 'overloaded', ''],
      ['S8', 'overloaded', begun],
      ['S8', 'in-chunk', begun],
      ['S9', 'first', ''],
      ['S10', 'first', ''],
    ] as const) {
      const seen = await withFault(id, form);
      expect([id, form, seen.text, seen.error instanceof OpenAI.APIError]).toEqual([id, form, text, true]);
    }
    expect((await withFault('S10', 'first')).error).toMatchObject({ code: 'context_length_exceeded' });
  });

  it.each([
    ['S1', 'before-done'],
    ['S6', 'processing'],
    ['S6', 'inside-events'],
    ['S11', undefined],
    ['S12', undefined],
    ['S13', undefined],
    ['S14', 'on-finish'],
    ['S15', 'every-chunk'],
    ['S18', 'two-chunks'],
    ['S19', 'in-line-end'],
    ['S19', 'seven-bytes'],
    ['S20', 'crlf'],
    ['S20', 'cr'],
    ['S20', 'multi-line'],
    ['S22', 'one-write'],
    ['S22', 'one-megabyte'],
    ['S23', 'none'],
    ['S26', 'after-done'],
  ])('reads all of a stream that is odd and yet whole: %s %s', async (id, form) => {
    const seen = await withFault(id, form);
    expect(seen).toMatchObject({ text: whole, finish: 'stop', usage, error: null });
  });

  it('shows text that comes after the reason of the end: a gateway has to drop it', async () => {
    expect(await withFault('S26', 'after-finish')).toMatchObject({ text: whole + lateText, error: null });
  });
});
