import { expect } from 'vitest';
import { chat, described, named, user } from './chat-requests.ts';
import { chunksOf, deltasOf, failed, failing } from './read-answer.ts';
import { called, chunks, type Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

const firstChoiceOf = (chunk: Record<string, unknown>): object =>
  (chunk.choices as object[] | undefined)?.[0] ?? {};

/** The effects of the variants of bodies, errors, usage and tool calls. */
export const answerEffects: Readonly<Record<string, Effect>> = {
  'body.reordered-keys': async (probe) => {
    const keys = Object.keys(JSON.parse((await probe.plain()).text) as object);
    expect(keys.indexOf('usage')).toBeLessThan(keys.indexOf('object'));
    const first = Object.keys(chunksOf(await probe.stream())[0] ?? {});
    expect(first.indexOf('model')).toBeLessThan(first.indexOf('object'));
  },
  'body.extra-members': async (probe) => {
    const plain = JSON.parse((await probe.plain(called)).text);
    const [choice] = plain.choices;
    const [made] = choice.message.tool_calls;
    for (const part of [choice, choice.message, made, made.function, plain.usage.prompt_tokens_details])
      expect(part).toMatchObject({ x_trace: 'a1', x_region: null });
    expect(plain).toMatchObject({ x_service: {}, usage: { x_seconds: 0.5 } });
    const delta = deltasOf(await probe.stream()).find((one) => one.tool_calls) as { tool_calls: object[] };
    expect(delta).toMatchObject({
      x_trace: 'a1',
      tool_calls: [{ x_trace: 'a1', function: { x_trace: 'a1' } }],
    });
    expect(JSON.parse((await probe.error(400, failed)).text).error.x_trace).toBe('a1');
    const messages = [user('a'), choice.message, { role: 'tool', tool_call_id: 'x', content: 'b' }];
    const { reached } = await probe.sends(chat({ messages }));
    expect(JSON.stringify(reached)).not.toContain('x_trace');
  },
  'body.null-members': async (probe) => {
    const [choice] = JSON.parse((await probe.plain()).text).choices;
    expect(choice).toMatchObject({ logprobs: null, message: { tool_calls: null, refusal: null } });
  },
  'body.empty-text-beside-calls': async (probe) => {
    expect(JSON.parse((await probe.plain(called)).text).choices[0].message.content).toBe('');
  },
  'usage.idle-details-left-out': async (probe) => {
    expect(JSON.parse((await probe.plain()).text).usage).not.toHaveProperty('prompt_tokens_details');
    expect(chunksOf(await probe.stream()).at(-1)?.usage ?? {}).not.toHaveProperty('prompt_tokens_details');
    const hit = { usage: { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 4 } } };
    expect(JSON.parse((await probe.plain(hit)).text)).toMatchObject(hit);
  },
  'body.other-ids': async (probe) => {
    const ids = chunksOf(await probe.stream()).map((chunk) => chunk.id);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^r:/);
  },
  'body.pretty-printed': async (probe) => {
    expect((await probe.plain()).text).toMatch(/\{\n {2}"/);
    expect((await probe.stream()).text).toMatch(/data: ?\{ "/);
  },
  'body.escaped': async (probe) => {
    for (const { text } of [await probe.plain(), await probe.stream()]) expect(text).toContain('Gr\\u00fc');
  },
  'error.other-wording': async (probe) => {
    expect(JSON.parse((await probe.error(400, failed)).text).error.message).toMatch(/^Das/);
    expect(chunksOf(await probe.stream(failing)).at(-1) ?? {}).not.toMatchObject({ error: { message: 'm' } });
  },
  'error.other-codes-beyond-table': async (probe) => {
    const { text } = await probe.error(404, { ...failed, code: 'not_found' });
    expect(JSON.parse(text).error.code).toBe('http_not_found');
  },
  'error.null-members-left-out': async (probe) => {
    expect(JSON.parse((await probe.error(400, failed)).text).error).not.toHaveProperty('channel');
  },
  'error.dotted-param': async (probe) => {
    const { text } = await probe.error(400, { ...failed, param: 'messages[1].content' });
    expect(JSON.parse(text).error.param).toBe('messages.1.content');
  },
  'calls.stop-after-named': async (probe) => {
    const choice = {
      tools: [named('f', described)],
      tool_choice: { type: 'function', function: { name: 'f' } },
    };
    for (const [asked, finish] of [
      [choice, 'stop'],
      [{}, 'tool_calls'],
    ] as const) {
      expect(JSON.parse((await probe.plain(called, asked)).text).choices[0].finish_reason).toBe(finish);
    }
    const ended = { ...chunks[0], choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    const [chunk] = chunksOf(await probe.stream([ended], choice)).filter(
      (one) => 'finish_reason' in firstChoiceOf(one),
    );
    expect(firstChoiceOf(chunk ?? {})).toMatchObject({ finish_reason: 'stop' });
  },
  'error.outage-for-full': async (probe) => {
    const got = await probe.error(429, { ...failed, type: 'rate_limit_error', code: 'channel_queue_full' });
    expect([got.status, JSON.parse(got.text).error]).toMatchObject([
      503,
      { type: 'api_error', code: 'channel_outage' },
    ]);
    const other = { ...failed, type: 'rate_limit_error', code: 'concurrency_exceeded' };
    expect((await probe.error(429, other)).status).toBe(429);
  },
};
