import { afterEach, describe, expect, it } from 'vitest';
import type { Variant } from '../mutation/mutant.ts';
import { effectsOnA } from './testing/compat-a-effects.ts';
import { effectsOnB } from './testing/compat-b-effects.ts';
import { eventEffects } from './testing/event-effects.ts';
import { mediaEffects } from './testing/media-effects.ts';
import { mediaReadingEffects } from './testing/media-reading-effects.ts';
import { called, chunks, completion, type Got, type Probe, startProbe } from './testing/variant-probe.ts';
import { combinedVariants, singleVariants } from './variants.ts';

/** What the difference of each variant looks like on the wire: a variant that changes nothing would prove nothing. */
type Effect = (probe: Probe) => Promise<void>;

const header = ({ headers }: Got, name: string): string[] =>
  headers.filter(([known]) => known.toLowerCase() === name).map(([, value]) => value);

/** The events of a stream that carry JSON, read with all that the grammar allows. */
const chunksOf = ({ text }: Got): Record<string, unknown>[] =>
  text
    .split(/\r?\n/)
    .filter((line) => /^data: ?\{/.test(line))
    .map((line) => JSON.parse(line.slice(5)) as Record<string, unknown>);

const deltasOf = (got: Got): Record<string, unknown>[] =>
  chunksOf(got).flatMap((chunk) =>
    (chunk.choices as { delta: Record<string, unknown> }[]).map((choice) => choice.delta),
  );

const firstOf = (chunk: Record<string, unknown>): object =>
  (chunk.choices as object[] | undefined)?.[0] ?? {};

const user = (content: unknown): object => ({ role: 'user', content });
const chat = (more: object, model = 'alpha-5-2'): Record<string, unknown> => ({
  model,
  messages: [user('Hello.')],
  ...more,
});
const image = (url: string): object => ({ type: 'image_url', image_url: { url } });
const pdf = image('data:application/pdf;base64,AAAA');
const named = (name: string, more: object = {}): object => ({
  type: 'function',
  function: { name, ...more },
});
const described = { description: 'd', parameters: { type: 'object' } };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

/** A request that the variant turns into another one, which differs in these members. */
const becomes =
  (body: Record<string, unknown>, changed: object): Effect =>
  async (probe) => {
    expect((await probe.sends(body)).reached).toMatchObject(changed);
    expect((await probe.sends(chat({}))).reached).toEqual(chat({}));
  };

/** A request that the variant refuses like this, while a plain one passes. */
const refused =
  (body: Record<string, unknown> | string, status: number, code: string, param: string | null): Effect =>
  async (probe) => {
    expect(await probe.sends(body)).toEqual({ reached: null, refused: [status, code, param] });
    expect((await probe.sends(chat({}))).reached).toEqual(chat({}));
  };

const failed = { type: 'api_error', code: 'upstream_error', message: 'm', channel: null, param: null };
const failing = [chunks[0] ?? {}, { error: failed }];

const effects: Readonly<Record<string, Effect>> = {
  ...effectsOnA,
  ...effectsOnB,
  ...mediaEffects,
  ...mediaReadingEffects,
  ...eventEffects,
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
      (one) => 'finish_reason' in firstOf(one),
    );
    expect(firstOf(chunk ?? {})).toMatchObject({ finish_reason: 'stop' });
  },
  'stream.merged-deltas': async (probe) => {
    expect(deltasOf(await probe.stream()).map((delta) => delta.content)).toContain('Grüße 👋 there');
  },
  'stream.split-deltas': async (probe) => {
    expect(deltasOf(await probe.stream()).length).toBeGreaterThanOrEqual(chunks.length + 3);
  },
  'stream.role-with-first-content': async (probe) => {
    expect(deltasOf(await probe.stream())[0]).toMatchObject({
      role: 'assistant',
      content: expect.stringContaining('Gr'),
    });
  },
  'stream.role-alone': async (probe) => {
    const [first] = deltasOf(await probe.stream());
    expect(first).toHaveProperty('role');
    expect(first).not.toHaveProperty('content');
  },
  'stream.finish-left-out': async (probe) => {
    const choices = chunksOf(await probe.stream()).flatMap((chunk) => chunk.choices as object[]);
    expect(choices[0]).not.toHaveProperty('finish_reason');
    expect(choices.filter((choice) => 'finish_reason' in choice)).toHaveLength(1);
  },
  'stream.usage-alone': async (probe) => {
    expect(chunksOf(await probe.stream()).at(-1)).toMatchObject({ choices: [], usage: {} });
  },
  'stream.usage-null-before': async (probe) => {
    expect(chunksOf(await probe.stream())[0]).toMatchObject({ usage: null });
  },
  'failure.cuts-the-stream': async (probe) => {
    const got = await probe.stream(failing);
    expect([got.broken, got.text.includes('error')]).toEqual([true, false]);
    expect(got.text).toContain('assistant');
  },
  'failure.without-done': async (probe) => {
    const got = await probe.stream(failing);
    expect([got.broken, got.text.includes('upstream_error'), got.text.includes('[DONE]')]).toEqual([
      false,
      true,
      false,
    ]);
    expect((await probe.stream()).text).toContain('[DONE]');
  },
  'failure.finish-error': async (probe) => {
    const last = (await probe.stream(failing)).text;
    expect(last).toMatch(/"finish_reason": ?"error"/);
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
  'head.extra-headers': async (probe) => {
    for (const got of [await probe.plain(), await probe.stream()])
      expect(header(got, 'via')).toEqual(['1.1 edge']);
  },
  'head.content-type-form': async (probe) => {
    expect(header(await probe.plain(), 'content-type')[0]).toMatch(/Charset/);
    expect(header(await probe.stream(), 'content-type')[0]).toMatch(/^Text\/Event-Stream;/);
  },
  'head.retry-after': async (probe) => {
    expect(header(await probe.error(429, failed), 'retry-after')).toEqual(['2']);
  },
  'head.no-retry-after': async (probe) => {
    expect(header(await probe.error(429, failed), 'retry-after')).toEqual([]);
  },
  'head.chunked': async (probe) => {
    expect(header(await probe.plain(), 'transfer-encoding')).toEqual(['chunked']);
  },
  'head.gzip': async (probe) => {
    for (const got of [await probe.plain(), await probe.error(400, failed), await probe.stream()])
      expect(header(got, 'content-encoding')).toEqual(['gzip']);
  },
  'head.slow': async (probe) => {
    // Timers may fire a touch early.
    expect((await probe.plain()).headMs).toBeGreaterThan(20);
  },
  'stream.crlf': async (probe) => {
    const { text } = await probe.stream();
    expect(text.split('\r\n').length).toBe(text.split('\n').length);
  },
  'stream.comments': async (probe) => {
    expect((await probe.stream()).text).toMatch(/^: keep-alive/m);
  },
  'stream.few-bytes': async (probe) => {
    expect((await probe.stream()).pieces).toBeGreaterThan(20);
  },
  'stream.heartbeats': async (probe) => {
    expect((await probe.stream()).text).toMatch(/^: heartbeat/m);
  },
  'stream.other-fields': async (probe) => {
    expect((await probe.stream()).text).toMatch(/^event: message\r?\nid: 1\r?\ndata:\{/m);
  },
  'accepts.unknown-fields': async (probe) => {
    expect((await probe.sends(chat({ zz: 1 }))).reached).toEqual(chat({}));
  },
  'accepts.top-p-beyond': becomes(chat({ top_p: 1.1 }), { top_p: 1 }),
  'accepts.max-tokens-zero': async (probe) => {
    expect((await probe.sends(chat({ max_tokens: 0 }))).reached).toEqual(chat({}));
  },
  'accepts.empty-stops': becomes(chat({ stop: ['', 'x'] }), { stop: ['x'] }),
  'accepts.metadata-values': becomes(chat({ metadata: { a: 5, b: 'v'.repeat(65), c: 'd' } }), {
    metadata: { a: 'kept elsewhere', b: 'kept elsewhere', c: 'd' },
  }),
  'accepts.schemas-everywhere': becomes(
    chat({ response_format: { type: 'json_schema', json_schema: {} } }, 'beta-mid-4-5'),
    { response_format: { type: 'json_object' } },
  ),
  'accepts.empty-messages': becomes(chat({ messages: [] }), { messages: [user('Hello.')] }),
  'accepts.other-forms': becomes(
    chat({
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'a' }] },
        user('b'),
        { role: 'assistant', content: null },
        user('c'),
      ],
    }),
    {
      messages: [{ role: 'system', content: 'a' }, user('b'), { role: 'assistant', content: '' }, user('c')],
    },
  ),
  'accepts.system-anywhere': becomes(
    chat({ messages: [user('a'), { role: 'system', content: 'b' }, { role: 'system', content: 'c' }] }),
    { messages: [{ role: 'system', content: 'b\n\nc' }, user('a')] },
  ),
  'accepts.unmatched-results': becomes(
    chat({
      messages: [
        user('a'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'zz', content: 'b' },
      ],
    }),
    { messages: [user('a'), { role: 'assistant', content: 'Let me see.' }, user('b')] },
  ),
  'accepts.choice-without-its-tool': async (probe) => {
    expect((await probe.sends(chat({ tool_choice: 'required' }))).reached).toEqual(chat({}));
  },
  'accepts.tools-twice': becomes(chat({ tools: [named('f'), named('f'), named('g')] }), {
    tools: [named('f'), named('g')],
  }),
  'accepts.any-media': async (probe) => {
    const words = { type: 'text', text: '(something to look at)' };
    const dot = image('data:image/png;base64,AAAA');
    for (const [model, block] of [
      ['alpha-5-2', pdf],
      ['gamma-3-flash', image('https://m.example/a.MP4?x=1')],
      ['beta-small-4-5', pdf],
    ] as const) {
      expect((await probe.sends(chat({ messages: [user([block])] }, model))).reached).toMatchObject({
        messages: [user([words])],
      });
    }
    for (const [model, block] of [
      ['alpha-5-2', dot],
      ['beta-small-4-5', dot],
      ['alpha-codex', pdf],
      ['gamma-3-pro', pdf],
    ] as const) {
      const untouched = chat({ messages: [user([block])] }, model);
      expect((await probe.sends(untouched)).reached).toEqual(untouched);
    }
  },
  'refuses.null-for-absent': refused(chat({ user: null }), 400, 'invalid_param', 'user'),
  'refuses.integers-with-a-point': refused(
    '{"model":"m","messages":[],"max_tokens":10.0}',
    400,
    'invalid_param',
    'max_tokens',
  ),
  'refuses.common-extras': refused(chat({ n: 1 }), 400, 'invalid_param', 'n'),
  'refuses.both-samplings': refused(chat({ temperature: 1, top_p: 1 }), 400, 'invalid_param', 'top_p'),
  'refuses.top-p-zero': refused(chat({ top_p: 0 }), 400, 'invalid_param', 'top_p'),
  'refuses.empty-stop-list': refused(chat({ stop: [] }), 400, 'invalid_param', 'stop'),
  'refuses.odd-seeds': refused(chat({ seed: -1 }), 400, 'invalid_param', 'seed'),
  'refuses.text-format': refused(
    chat({ response_format: { type: 'text' } }),
    400,
    'invalid_param',
    'response_format',
  ),
  'refuses.unusual-endings': refused(
    chat({ messages: [user('a'), { role: 'assistant', content: 'b' }] }),
    400,
    'invalid_param',
    'messages',
  ),
  'refuses.system-blocks': refused(
    chat({ messages: [{ role: 'system', content: [{ type: 'text', text: 'a' }] }, user('b')] }),
    400,
    'invalid_param',
    'messages',
  ),
  'refuses.choice-without-tools': refused(chat({ tool_choice: 'auto' }), 400, 'invalid_param', 'tool_choice'),
  'refuses.sparse-tools': async (probe) => {
    await refused(chat({ tools: [named('f')] }), 400, 'invalid_param', 'tools')(probe);
    const full = chat({ tools: [named('f', described)] });
    expect((await probe.sends(full)).reached).toEqual(full);
  },
  'refuses.media-as-param': refused(chat({ messages: [user([pdf])] }), 400, 'invalid_param', 'messages'),
  'refuses.cache-hints': refused(
    chat({ messages: [user([{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }])] }),
    400,
    'unsupported_capability',
    'messages',
  ),
  'refuses.other-kinds-as-param': refused(chat({}, 'kontext-pro'), 400, 'invalid_param', 'model'),
  'refuses.blank-model-as-unknown': refused(chat({}, ''), 404, 'model_not_found', 'model'),
  'refuses.filtered-output': async (probe) => {
    const [choice] = completion.choices as object[];
    const got = await probe.plain({ choices: [{ ...choice, finish_reason: 'content_filter' }] });
    expect([got.status, JSON.parse(got.text).error.code]).toEqual([400, 'content_filter']);
    expect((await probe.plain()).status).toBe(200);
  },
};

let probe: Probe | null = null;
afterEach(async () => {
  await probe?.close();
  probe = null;
});

const effectOf = (id: string): Effect =>
  effects[id] ?? (() => Promise.reject(new Error(`no effect of ${id}`)));

it('each variant has an effect here, and each effect a variant', () => {
  expect(Object.keys(effects).toSorted()).toEqual(singleVariants.map((variant) => variant.id).toSorted());
});

it.each(singleVariants)('$id takes effect', async (variant) => {
  probe = await startProbe(variant);
  await effectOf(variant.id)(probe);
});

describe.each(combinedVariants)('in $id', (combined: Variant) => {
  const parts = combined.title.split(': ')[1]?.split(', ') ?? [];
  it.each(parts)('%s still takes effect', async (id) => {
    probe = await startProbe(combined);
    await effectOf(id)(probe);
  });
});
