import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChatDialectName } from '../answers/native-answer.ts';
import { ControlError, type Reply } from '../control/client.ts';
import type { FaultFacts } from '../control/fault-facts.ts';
import { faultFacts } from '../fault-contract/known-faults.ts';
import { type RawCall, type RawOptions, rawCall } from '../testing/raw-call.ts';
import { type Cell, cellsOf } from '../testing/send-cell.ts';
import { useSimulators } from '../testing/simulators.ts';
import { variantFacts } from '../variants/known-variants.ts';

/** Equal seeds, so that tenants with the same name get the same bytes from both. */
const options = { testClock: true, strictModels: false };
const [faulty, healthy] = [useSimulators(options), useSimulators(options)];

const schema = {
  type: 'object',
  properties: { place: { type: 'string' }, days: { type: 'integer' } },
  required: ['place'],
  additionalProperties: false,
};
const picture = Buffer.from('iVBORw0KGgo=', 'base64').toString('base64');
const said = fc.oneof(
  fc.constantFrom('Hi.', 'x'.repeat(70_000), 'Flut über 🌊 – 潮', '', '"\\\n\u0001'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const some = (...values: readonly unknown[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const limit = some(0, 1, 5, 4000);

/** Request members that may or may not give a fault something to change. Some requests are invalid. */
const members: Readonly<Record<ChatDialectName, fc.Arbitrary<Record<string, unknown>>>> = {
  'chat-completions': fc.record(
    {
      messages: said.chain((text) =>
        fc.constantFrom(
          [{ role: 'user', content: text }],
          [],
          [
            {
              role: 'user',
              content: [
                { type: 'text', text },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
              ],
            },
          ],
        ),
      ),
      stream_options: some({ include_usage: true }, { include_usage: false }),
      tools: some([{ type: 'function', function: { name: 'tide', parameters: schema } }]),
      tool_choice: some('required', 'none', { type: 'function', function: { name: 'tide' } }),
      response_format: some(
        { type: 'json_object' },
        { type: 'json_schema', json_schema: { name: 'tide', strict: true, schema } },
      ),
      max_completion_tokens: limit,
      n: some(1, 2, 3),
      logprobs: some(true),
      stop: some('a', [' ']),
      reasoning_effort: some('low', 'high'),
    },
    { requiredKeys: ['messages'] },
  ),
  messages: fc.record(
    {
      messages: said.chain((text) =>
        fc.constantFrom(
          [{ role: 'user', content: text }],
          [
            {
              role: 'user',
              content: [
                { type: 'text', text },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
              ],
            },
          ],
        ),
      ),
      tools: some([{ name: 'tide', input_schema: schema }]),
      tool_choice: some({ type: 'any' }, { type: 'tool', name: 'tide' }, { type: 'none' }),
      max_tokens: limit,
      stop_sequences: some(['a'], [' ']),
      thinking: some({ type: 'enabled', budget_tokens: 1024 }),
    },
    { requiredKeys: ['messages'] },
  ),
  'generate-content': fc.record(
    {
      contents: said.chain((text) =>
        fc.constantFrom(
          [{ role: 'user', parts: [{ text }] }],
          [],
          [{ role: 'user', parts: [{ text }, { inlineData: { mimeType: 'image/png', data: picture } }] }],
        ),
      ),
      tools: some([
        {
          functionDeclarations: [
            { name: 'tide', parameters: { ...schema, additionalProperties: undefined } },
          ],
        },
      ]),
      toolConfig: some({ functionCallingConfig: { mode: 'ANY' } }),
      generationConfig: some(
        { responseMimeType: 'application/json' },
        { maxOutputTokens: 1 },
        { candidateCount: 2 },
        { thinkingConfig: { includeThoughts: true } },
        { stopSequences: ['a'] },
      ),
    },
    { requiredKeys: ['contents'] },
  ),
};

/** Members that a script may have besides the fault. */
const replies: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        text: said,
        reasoning: said,
        usage: fc.constantFrom(
          { prompt_tokens: 0, completion_tokens: 0 },
          { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 60, reasoning_tokens: 8 },
        ),
        finish: fc.constantFrom('stop', 'length', 'content_filter'),
        model: fc.constantFrom('other'),
        headers: fc.constantFrom({ 'retry-after': '1', 'content-type': 'text/plain' }),
      },
      { requiredKeys: [] },
    ),
  },
  fc.record({ deltas: fc.array(said, { minLength: 1, maxLength: 5 }) }),
  fc.constantFrom<object>(
    { tool_calls: [{ name: 'tide', arguments: '{"place":"a"}' }] },
    {
      tool_calls: [
        { name: 'tide', arguments: '{}' },
        { name: 'wind', arguments: '{"say":"\\"hi\\""}' },
      ],
    },
    { cut: { after: 1, by: 'rst' } },
    { deltas: ['one ', 'two '], cut: { after: 'head', by: 'fin' } },
    { argument_deltas: 1 },
  ),
);

interface Case extends Cell {
  readonly facts: FaultFacts;
  readonly request: RawOptions;
  readonly reply: object;
  /** Whether the reply is set as a fault, instead of scripted. */
  readonly isSet: boolean;
}

const cells = [...faultFacts.values()].flatMap((facts) =>
  facts.listener === undefined && facts.scenario === undefined
    ? cellsOf(facts).map((cell) => ({ ...cell, facts }))
    : [],
);

const cases: fc.Arbitrary<Case> = fc.constantFrom(...cells).chain((cell) =>
  fc
    .record({
      request: fc.record({
        body: members[cell.dialect],
        inArray: fc.constant(false),
      }),
      reply: replies,
      isSet: fc.boolean(),
      version: some('current', 'previous'),
      variant: some(...variantFacts.flatMap(({ name, dialect }) => (dialect === cell.dialect ? [name] : []))),
    })
    .map(({ reply, version, variant, ...drawn }) => ({
      ...cell,
      ...drawn,
      reply: {
        ...reply,
        ...(version !== undefined && { version }),
        ...(variant !== undefined && { variant }),
      },
    })),
);

/** Parts of an answer that depend on the time, in any dialect. */
const times = /^(?:date|\S+-reset): .*$|"created": ?[\d.]+|"obfuscation":"\w*"|^: ping - .*$/gim;

/** Faults whose connection never ends by itself, or only after a large number of bytes. */
const lasting = ['T10', 'T11', 'T20', 'S29'];

/** Reads the healthy answer to its end, and the faulty one up to the same time. An endless one gets a moment more. */
async function callBoth(name: string, { facts, dialect, call, request }: Case) {
  const ask = (one: typeof faulty) => rawCall(one.base(name), { dialect, call, ...request });
  const [met, good] = [ask(faulty), ask(healthy)];
  const isLasting = facts.verdict.deadline !== null || lasting.includes(facts.id);
  const after = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));
  const whole = await good.over;
  const end = await Promise.race([met.over, after(isLasting ? 300 : 15_000)]);
  for (const { socket } of [met, good]) socket.destroy();
  const textOf = (one: RawCall) => one.text().replaceAll(times, '');
  return { met: { end, text: textOf(met) }, good: { end: whole, text: textOf(good) } };
}

let tenants = 0;

async function judge(one: Case): Promise<void> {
  tenants += 1;
  const name = `silent-${tenants}`;
  const [tenant, other] = [faulty.control.tenant(name), healthy.control.tenant(name)];
  const fault = one.form === null ? { id: one.facts.id } : { id: one.facts.id, form: one.form };
  try {
    const given = { ...one.reply, fault };
    await (one.isSet ? tenant.addFault({ reply: given }) : tenant.script({ replies: [given] }));
  } catch (error) {
    // A script that contradicts its fault is rejected with a reason.
    if (error instanceof ControlError) return;
    throw error;
  }
  await (one.isSet ? other.addFault({ reply: one.reply }) : other.script({ replies: [one.reply] }));
  const { met, good } = await callBoth(name, one);
  const { entries } = await tenant.journal({ requests: 1 });
  const entry = entries[0]?.reply.fault;
  await Promise.all([tenant.reset(), other.reset()]);
  const told = JSON.stringify({
    fault,
    dialect: one.dialect,
    call: one.call,
    request: one.request,
    reply: one.reply,
    isSet: one.isSet,
  });
  if (entry?.misfit !== undefined) {
    expect(entry.applied, told).toBe(false);
    expect(met.text, told).toMatch(/^HTTP\/1\.1 501 [\s\S]*(?:script|ask for them)/);
  } else if (entry?.applied === true) {
    expect(met, told).not.toEqual(good);
  } else {
    expect(entry, told).toMatchObject({ id: one.facts.id, applied: false });
    expect(met, told).toEqual(good);
    // A rejected request or version, a variant that cannot act on it, or the first request on its connection.
    expect(one.facts.id === 'T9' || /^HTTP\/1\.1 (?:4\d\d|501) /.test(met.text), told).toBe(true);
  }
}

it('changes the answer, or reports by 501 or in the journal that it did not', {
  timeout: 300_000,
}, async () => {
  const isFull = process.env.GATECHECK_TEST_FULL !== undefined;
  const chosen = fc.sample(cases, isFull ? 3_000 : 200);
  const atOnce = 6;
  for (let from = 0; from < chosen.length; from += atOnce)
    await Promise.all(chosen.slice(from, from + atOnce).map(judge));
});

/** Requests besides chat, and the dialect whose faults meet them. */
const others: readonly RawOptions[] = [
  { at: '/embeddings', body: { model: 'any', input: 'the sea' } },
  { at: '/responses', body: { model: 'any', input: 'the sea' } },
  { at: '/responses', body: { model: 'any', input: 'the sea', stream: true } },
  { at: '/images/generations', body: { model: 'a2-image-2026-08', prompt: 'the sea' } },
  { at: '/jobs', body: { model: 'vidB2-native', input: { prompt_text: 'the sea', seconds: 10 } } },
  { at: '/generate', body: { model: 'song-5-native', prompt: 'the sea' } },
];

it('does so for requests of other kinds', { timeout: 120_000 }, async () => {
  const all = cells.flatMap(({ facts, form }) =>
    others.map(
      (request): Case => ({
        ...{ facts, form, request, reply: {}, isSet: false },
        ...{ dialect: 'chat-completions', call: 'plain' },
      }),
    ),
  );
  const isFull = process.env.GATECHECK_TEST_FULL !== undefined;
  const chosen = fc.sample(fc.constantFrom(...all), isFull ? 600 : 60);
  for (let from = 0; from < chosen.length; from += 6)
    await Promise.all(chosen.slice(from, from + 6).map(judge));
});

it.each<[string, Reply]>([
  ['S8', { deltas: ['one ', 'two ', 'three'], hang: 0 }],
  ['S8', { hang: 'head' }],
  ['H12', { hang: 'head' }],
  ['S3', { hang: 'head' }],
])('does not say that %s acts behind %j', async (id, reply) => {
  const tenant = faulty.control.tenant('behind');
  await tenant.addFault({ fault: { id }, times: 1 });
  await tenant.script({ replies: [reply] });
  const answer = rawCall(faulty.base('behind'), { call: 'stream' });
  expect(await answer.over).toBe('fin');
  expect(answer.text()).toMatch(/^HTTP\/1\.1 501 [\s\S]*hang/);
  await tenant.reset();
});
