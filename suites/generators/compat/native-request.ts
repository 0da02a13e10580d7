import fc from 'fast-check';
import { JsonText, withExactNumbers } from '../../oracle/json-text.ts';
import { pixelBase64 } from '../../oracle/sample-images.ts';
import { legalTools } from '../legal-tools.ts';
import { toolArguments } from '../tool-arguments.ts';
import { unicodeText } from '../unicode-text.ts';

/** A legal request of compat path A without its model and the scene's marker. */
export interface NativeRequest {
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the turns contain images, which limits the models. */
  readonly hasImage: boolean;
}

type Block = Record<string, unknown>;

/** A text block, or the same as a string. Upstreams refuse text of only white space. */
const said: fc.Arbitrary<Block> = unicodeText.map((text) => ({ type: 'text', text }));

const image: fc.Arbitrary<Block> = fc.constant({
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: pixelBase64,
  },
});

const linked: fc.Arbitrary<Block> = fc.constant({
  type: 'image',
  source: { type: 'url', url: 'https://media.example.com/p/deep%20sea.png?X-Sig=a%2Fb%2Bc%3D%3D&flag' },
});

const id: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^toolu_[A-Za-z0-9]{4,24}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
);

const call: fc.Arbitrary<Block> = fc
  .record({ name: fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/), input: toolArguments })
  .map(({ name, input }) => ({ type: 'tool_use', name, input: withExactNumbers(input) }));

/** A tool result: nothing, a string, or blocks with or without images; an error or not. */
const outcome: fc.Arbitrary<Block> = fc
  .record({
    content: fc.oneof(
      fc.constant(undefined),
      unicodeText,
      fc.constantFrom('', '{"a":1.0}', '9007199254740993', '[]'),
      fc.array(said, { minLength: 1, maxLength: 3 }),
      fc.tuple(said, image).map((blocks) => [...blocks]),
    ),
    failed: fc.constantFrom(undefined, true, false),
  })
  .map(({ content, failed }) => ({
    type: 'tool_result',
    ...(content === undefined ? {} : { content }),
    ...(failed === undefined ? {} : { is_error: failed }),
  }));

const userContent: fc.Arbitrary<unknown> = fc.oneof(
  unicodeText,
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: said },
      { weight: 1, arbitrary: image },
      { weight: 1, arbitrary: linked },
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
);

const round = fc.oneof(
  fc.record({
    user: userContent,
    assistant: fc.oneof(unicodeText, fc.array(said, { minLength: 1, maxLength: 3 })),
  }),
  fc.record({
    user: userContent,
    assistant: fc.option(said, { nil: undefined }),
    calls: fc.array(fc.tuple(id, call, outcome), { minLength: 1, maxLength: 3 }),
    after: fc.option(fc.oneof(said, image), { nil: undefined }),
  }),
);

/** Turns: text rounds, and rounds of calls with their results. Every id is different. */
const history: fc.Arbitrary<Block[]> = fc.array(round, { maxLength: 3 }).map((rounds) =>
  rounds.flatMap((one, at): Block[] => {
    if (!('calls' in one)) {
      return [
        { role: 'user', content: one.user },
        { role: 'assistant', content: one.assistant },
      ];
    }
    const calls = one.calls.map(([own, use], index) => ({
      ...use,
      id: `${own.slice(0, 50)}-${at}-${index}`,
    }));
    const results = one.calls.map(([, , result], index) => ({ ...result, tool_use_id: calls[index]?.id }));
    return [
      { role: 'user', content: one.user },
      { role: 'assistant', content: [...(one.assistant ? [one.assistant] : []), ...calls] },
      { role: 'user', content: [...results, ...(one.after ? [one.after] : [])] },
      { role: 'assistant', content: 'So it is.' },
    ];
  }),
);

const system = fc.oneof(fc.constant(undefined), unicodeText, fc.array(said, { minLength: 1, maxLength: 3 }));

const tools = fc.option(
  legalTools.map((all) =>
    all.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      input_schema: parameters,
    })),
  ),
  { nil: undefined },
);

/**
 * Cache hints: their places, as fractions of the possible places, and one lifetime. The upstream accepts at most four hints.
 */
const hints = fc.record({
  places: fc.array(fc.nat({ max: 99 }), { maxLength: 4 }),
  hint: fc.constantFrom(
    { type: 'ephemeral' },
    { type: 'ephemeral', ttl: '5m' },
    { type: 'ephemeral', ttl: '1h' },
  ),
});

/** Fields that control an answer. A legal request does not have both temperature and top_p. */
const sampling = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 1, new JsonText('0.30000000000000004')),
    top_k: fc.constantFrom(0, 1, 40),
    stop_sequences: fc.constantFrom([], ['unlikely-stop'], ['###', '\n\nHuman:']),
    metadata: fc.constant({ user_id: 'user-7f3' }),
    thinking: fc.constantFrom({ type: 'disabled' }, { type: 'enabled', budget_tokens: 1_024 }),
  },
  { requiredKeys: [] },
);

/** Any legal native request of two to thirteen turns; the last turn is the user's. */
export const nativeRequests: fc.Arbitrary<NativeRequest> = fc
  .record({
    history,
    last: userContent,
    system,
    tools,
    hints,
    sampling,
    max: fc.integer({ min: 64, max: 4_000 }),
  })
  .map(({ history: turns, last, system: given, tools: known, hints: marks, sampling: fields, max }) => {
    const members = structuredCopy({
      max_tokens: max,
      messages: [...turns, { role: 'user', content: last }],
      ...(given === undefined ? {} : { system: given }),
      ...(known === undefined ? {} : { tools: known }),
      ...fields,
    });
    mark(members, marks);
    return { members, hasImage: JSON.stringify(members.messages).includes('"type":"image"') };
  });

/** A deep copy; numbers that are given as text stay text. */
function structuredCopy(value: Block): Block {
  return copied(value) as Block;
}

function copied(value: unknown): unknown {
  if (value instanceof JsonText) return value;
  if (Array.isArray(value)) return value.map(copied);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copied(inner)]));
}

function mark(members: Block, { places, hint }: { places: readonly number[]; hint: object }): void {
  const all = placesIn(members);
  const chosen = new Set(places.map((place) => all[place % Math.max(1, all.length)]));
  for (const block of chosen) if (block !== undefined) block.cache_control = hint;
}

/** The tools and blocks that may carry a hint. */
function placesIn({ tools: known = [], system: given = [], messages }: Block): Block[] {
  const inTurns = (messages as Block[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as Block[]) : [],
  );
  return [...(known as Block[]), ...(Array.isArray(given) ? (given as Block[]) : []), ...inTurns];
}

/** The request for one model, with a marker in its last turn. */
export function withMarker(
  { members }: NativeRequest,
  model: string,
  marker: string,
): Record<string, unknown> {
  const messages = [...(members.messages as Block[])];
  const last = messages.pop();
  const { content } = last ?? {};
  const marked =
    typeof content === 'string'
      ? `${content} [${marker}]`
      : [...((content ?? []) as Block[]), { type: 'text', text: `[${marker}]` }];
  return { ...members, model, messages: [...messages, { ...last, content: marked }] };
}
