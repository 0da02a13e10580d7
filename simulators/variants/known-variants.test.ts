import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { type AnswerKind, type ChatDialectName, isChatDialect } from '../answers/native-answer.ts';
import type { VariantFacts } from '../control/protocol.ts';
import { readPath } from '../faults/native/json-path.ts';
import { post } from '../testing/post.ts';
import { chatBody } from '../testing/post-chat.ts';
import { openCall, readRaw } from '../testing/send-cell.ts';
import { useSimulators } from '../testing/simulators.ts';
import { finish, readings, tide } from '../testing/variant-readings.ts';
import { variantFacts } from './known-variants.ts';

const simulators = useSimulators();

const said = {
  reasoning: 'Hm.',
  deltas: ['Ebb ', 'and flow'],
  usage: { prompt_tokens: 100, cached_tokens: 60, completion_tokens: 20, reasoning_tokens: 8 },
};
const ofCall = { tool_calls: [tide] };
const ofChat = variantFacts.filter(({ dialect }) => isChatDialect(dialect));
/** What the variants of tool calls are asked for. */
const callsOf: Readonly<Record<string, object>> = {
  'vllm-split-call': ofCall,
  'deepseek-next-index': { tool_calls: [tide, { name: 'wind', arguments: '{}' }] },
  'nim-repeated-name': ofCall,
  'mistral-name-in-parts': ofCall,
  'poolside-second-id': ofCall,
  'mistral-null-id': ofCall,
  'bedrock-no-arguments-first': ofCall,
  'minimax-argument-objects': ofCall,
  'qianfan-arguments-so-far': ofCall,
  'vllm-arguments-twice': ofCall,
  'dashscope-text-so-far': { deltas: ['Ebb ', 'and ', 'flow'] },
};

/** Variants of a stream as a whole, or of the refusal for a limit, which have tests of their own. */
const others = [
  'router-end-mark',
  'aprender-data-twice',
  'manifest-comment-data',
  'ietf-ratelimit',
  'unified-reset',
  'gemini-array-stream',
  'gemini-fraction-of-wait',
];

/** The pieces of an answer as JSON, without an end mark. */
async function piecesOf(
  dialect: ChatDialectName,
  call: AnswerKind,
  reply: object,
): Promise<readonly unknown[]> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ ...said, ...reply }] });
  const answer = await readRaw(await openCall(simulators.base(tenant.name), dialect, call));
  const written = answer.body.toString('utf8');
  if (call === 'plain') return [JSON.parse(written)];
  const data = [...written.matchAll(/^data: (.*?)\r?$/gm)].map(([, piece = '']) => piece);
  return data.filter((piece) => piece !== '[DONE]').map((piece) => JSON.parse(piece) as unknown);
}

const sent = (pieces: readonly unknown[], path: readonly (string | number)[]): unknown[] =>
  pieces
    .map((piece) => (path.length === 0 ? piece : readPath(piece, path)))
    .filter((value, at, all) => at === 0 || !isDeepStrictEqual(value, all[at - 1]));

it.each(readings)('%s differs at %j as its source documents', async (name, path, plain, stream) => {
  const { dialect } = ofChat.find((one) => one.name === name) as VariantFacts & { dialect: ChatDialectName };
  const more = callsOf[name] ?? {};
  const both = async (given: object) => ({
    plain: sent(await piecesOf(dialect, 'plain', given), path),
    stream: sent(await piecesOf(dialect, 'stream', given), path),
  });
  const varied = await both({ variant: name, ...more });
  expect(varied).toEqual({ plain: [plain], stream });
  expect(varied).not.toEqual(await both(more));
});

it('has an expectation for each variant of chat', () => {
  const tested = new Set([...readings.map(([name]) => name), ...others]);
  expect([...tested].sort()).toEqual(ofChat.map(({ name }) => name).sort());
});

it.each<[string, ChatDialectName, RegExp, object]>([
  [
    'ietf-ratelimit',
    'chat-completions',
    /"message": "The limit is exceeded."/,
    { ratelimit: expect.stringContaining('"minute";r=0;t=8') },
  ],
  [
    'unified-reset',
    'messages',
    /rate_limit_error/,
    { 'anthropic-ratelimit-unified-reset': expect.stringMatching(/^\d{10}$/) },
  ],
  ['gemini-fraction-of-wait', 'generate-content', /"retryDelay": "7.463586755s"/, {}],
])(
  '%s states the wait of a 429 as its source documents, and nowhere else',
  async (variant, dialect, body, own) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ status: 429, variant }] });
    const { headers, body: written } = await readRaw(
      await openCall(simulators.base(tenant.name), dialect, 'plain'),
    );
    expect(written.toString('utf8')).toMatch(body);
    expect(Object.fromEntries(headers)).toMatchObject(own);
    const names = headers.map(([name]) => name.toLowerCase());
    const stating = names.filter((name) => /retry-after|ratelimit-(?!policy)/.test(name));
    expect(stating.filter((name) => !(name in own) && name !== 'anthropic-ratelimit-unified-status')).toEqual(
      [],
    );
  },
);

it('gemini-array-stream answers a request for events with one array', async () => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ ...said, variant: 'gemini-array-stream' }] });
  const call = await openCall(simulators.base(tenant.name), 'generate-content', 'stream');
  const { body } = await readRaw(call);
  const pieces = JSON.parse(body.toString('utf8')) as { candidates: unknown[] }[];
  expect(pieces.length).toBeGreaterThan(2);
});

it.each([
  ['aprender-data-twice', /^(?:data: data: (?:\{.*\}|\[DONE\])\n\n)+$/],
  ['manifest-comment-data', /\n\ndata: : OPENROUTER PROCESSING\n\ndata: \{/],
])('%s frames the events of a stream as its source documents', async (variant, form) => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ ...said, variant }] });
  const call = await openCall(simulators.base(tenant.name), 'chat-completions', 'stream');
  const { body } = await readRaw(call);
  expect(body.toString('utf8')).toMatch(form);
});

it('router-end-mark labels a whole answer as a stream, and ends it as one', async () => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ ...said, variant: 'router-end-mark' }] });
  const call = await openCall(simulators.base(tenant.name), 'chat-completions', 'plain');
  const { headers, body } = await readRaw(call);
  const [json = '', mark] = body.toString('utf8').split('\n\ndata: ');
  expect([Object.fromEntries(headers)['content-type'], mark]).toEqual(['text/event-stream', '[DONE]\n\n']);
  expect(readPath(JSON.parse(json), ['choices', 0, 'message', 'content'])).toBe('Ebb and flow');
});

it("applies a tenant's variants in their own dialects, and prefers the variant of a reply", async () => {
  const tenant = simulators.tenant();
  await tenant.settings({ variants: ['openrouter-error', 'zero-input-last'] });
  await tenant.script({
    replies: [{}, { variant: 'vllm-abort' }, { variant: 'zero-input-last' }, { status: 503 }],
  });
  const headers = { authorization: 'Bearer any' };
  const ask = async () => {
    const answer = await post(`${simulators.base(tenant.name)}/chat/completions`, chatBody({}), headers);
    return readPath(JSON.parse(answer.text), finish) ?? answer.status;
  };
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual(['error', 'abort', 501, 503]);
  const { entries } = await tenant.journal({ ended: 4 });
  expect(entries.map(({ reply }) => reply.variants)).toEqual([
    ['openrouter-error'],
    ['vllm-abort'],
    undefined,
    undefined,
  ]);
  await tenant.reset();
  expect(await ask()).toBe('stop');
});

it('journals a variant only where it changed the answer', async () => {
  const tenant = simulators.tenant();
  const reply = { ...said, variant: 'stop-on-every-chunk' };
  await tenant.script({ replies: [reply, reply] });
  for (const form of ['plain', 'stream'] as const)
    await readRaw(await openCall(simulators.base(tenant.name), 'chat-completions', form));
  const { entries } = await tenant.journal({ ended: 2 });
  expect(entries.map(({ reply }) => reply.variants)).toEqual([undefined, ['stop-on-every-chunk']]);
});

it('rejects an unknown variant name', async () => {
  const tenant = simulators.tenant();
  const refused = 'there is no variant nope; GET /variants lists all';
  await expect(tenant.settings({ variants: ['nope'] })).rejects.toThrow(refused);
  await expect(tenant.script({ replies: [{ variant: 'nope' }] })).rejects.toThrow(refused);
});
