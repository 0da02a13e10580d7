import { expect, it } from 'vitest';
import { startTestGateway, testConfig } from '../gateway/testing/test-gateway.ts';
import { parseEvents } from '../gateway/testing/wire.ts';
import { startSimulators } from '../simulators/in-process/start-simulators.ts';
import { variantFacts, variesLimit } from '../simulators/variants/known-variants.ts';

const models: Readonly<Record<string, string>> = {
  'chat-completions': 'delta-3',
  messages: 'beta-large-4-5',
  'generate-content': 'gamma-3-flash',
};

const counted = { prompt_tokens: 100, cached_tokens: 60, completion_tokens: 20, reasoning_tokens: 8 };
const whole = { status: 200, text: 'Ebb and flow', finish: 'stop', code: undefined, counts: [100, 20, 60] };
const broken = { ...whole, finish: undefined, code: 'upstream_error', counts: [0, 0, 0] };

/** Variants whose answer contains less than others of their dialect, or is a failure. The others must lose nothing. */
const otherwise: Readonly<Record<string, object>> = {
  'openrouter-beside-cache': { ...whole, counts: [40, 20, 40] },
  'mlx-vlm': { ...whole, counts: [100, 20, 0] },
  'vllm-null-details': { ...whole, counts: [100, 20, 0] },
  'mistral-length': { ...whole, finish: 'length' },
  'vllm-abort': broken,
  sglang: { ...broken, counts: [100, 20, 60] },
  'openrouter-error': broken,
  'counts-in-parts': { ...whole, counts: [100, 5, 60] },
  'gemini-counts-in-parts': { ...whole, counts: [100, 5, 60] },
};

/** Counts in parts can be told from sums so far where no part has as many tokens as there are pieces. */
const usageOf = (name: string): typeof counted =>
  name.endsWith('counts-in-parts') ? { ...counted, completion_tokens: 5, reasoning_tokens: 0 } : counted;

const calls = [
  { name: 'tide', arguments: '{"place":"the harbour"}' },
  { name: 'wind', arguments: '{"days":3}' },
];

const ofChat = variantFacts.filter(({ dialect }) => dialect in models);
const cases = ofChat
  .filter(({ name }) => !variesLimit(name))
  .flatMap(({ name, dialect }) => [false, true].map((stream) => ({ name, dialect, stream })));

it.each(cases)('$name is complete and counted, or visibly broken (stream $stream)', async (one) => {
  const { name, dialect, stream } = one;
  await using simulators = await startSimulators({ variants: [name] });
  const upstream = simulators.tenant();
  upstream.on({}, { deltas: ['Ebb ', 'and ', 'flow'], usage: usageOf(name) });
  const gateway = await startTestGateway(testConfig(upstream.url));
  const messages = [{ role: 'user', content: 'hi' }];
  const answer = await gateway.chat({ model: models[dialect], stream, max_tokens: 100, messages });
  await gateway.close();
  const isStream = stream && answer.status === 200;
  const chunks = isStream ? parseEvents(answer.text).chunks : [answer.json];
  const choices = chunks.flatMap(({ choices = [] }) => choices);
  const [record] = gateway.records;
  const counts = [record?.prompt_tokens, record?.completion_tokens, record?.cached_tokens].map(Number);
  expect({
    status: answer.status,
    text: isStream ? choices.map(({ delta }) => delta.content ?? '').join('') : choices[0]?.message.content,
    finish: choices.map(({ finish_reason }) => finish_reason).findLast((reason) => reason !== null),
    code: chunks.at(-1).error?.code,
    counts,
  }).toEqual(expected(name, stream));
});

it.each(cases.filter(({ name }) => otherwise[name] === undefined))(
  '$name calls both tools (stream $stream)',
  async ({ name, dialect, stream }) => {
    await using simulators = await startSimulators({ variants: [name] });
    const upstream = simulators.tenant();
    upstream.on({}, { tool_calls: calls });
    const gateway = await startTestGateway(testConfig(upstream.url));
    const messages = [{ role: 'user', content: 'hi' }];
    const tools = calls.map((call) => ({ type: 'function', function: { name: call.name } }));
    const answer = await gateway.chat({ model: models[dialect], stream, max_tokens: 100, messages, tools });
    await gateway.close();
    const said = (stream ? parseEvents(answer.text).chunks : [answer.json]).flatMap(
      ({ choices = [] }) => choices,
    );
    const fragments = said.flatMap(({ delta, message }) => (delta ?? message).tool_calls ?? []);
    const whole = calls.map((_, at) => fragments.filter(({ index }, i) => (stream ? index : i) === at));
    const joined = (of: readonly { function: Record<string, string> }[], member: string): string =>
      of.map((one) => one.function[member] ?? '').join('');
    expect(whole.map((of) => ({ name: joined(of, 'name'), arguments: joined(of, 'arguments') }))).toEqual(
      calls,
    );
  },
);

it.each(ofChat.filter(({ name }) => variesLimit(name)))(
  '$name: the caller of a model without another channel reads the wait of the limit',
  async ({ name, dialect }) => {
    await using simulators = await startSimulators();
    const upstream = simulators.tenant();
    upstream.on({}, { status: 429, variant: name });
    const gateway = await startTestGateway(testConfig(upstream.url));
    const messages = [{ role: 'user', content: 'hi' }];
    const { status, headers } = await gateway.chat({ model: models[dialect], max_tokens: 100, messages });
    await gateway.close();
    expect({
      status,
      wait: headers['retry-after'],
      charged: gateway.records.map(({ charge_pico }) => charge_pico),
    }).toEqual({ status: 429, wait: '8', charged: [0n] });
  },
);

/** A failed plain answer consists only of an error. */
function expected(name: string, stream: boolean): object {
  const one = otherwise[name] ?? whole;
  return 'code' in one && one.code !== undefined && !stream
    ? { ...broken, status: 502, text: undefined }
    : one;
}
