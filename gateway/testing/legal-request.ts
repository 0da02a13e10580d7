import fc from 'fast-check';

// Legal chat requests in the widest sense: every field, every form of a message. Blank texts have their own tests, because
// each dialect handles them differently.

/** A text that is not blank; sometimes it is cut in the middle of an emoji. */
const text = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('', ' ', '\n', '\ud83d', '😀'))
  .map(([begin, end]) => `${begin}x${end}`);

const hint = fc.constantFrom(undefined, null, { type: 'ephemeral' });
const textBlock = fc.record({ type: fc.constant('text'), text, cache_control: hint });
const urls = [
  'https://example.org/a.png?x=1',
  'http://example.org/talk.mp3',
  'https://example.org/picture',
  'data:image/jpeg;base64,/9j/',
  'data:video/mp4;base64,AAAA',
  'data:application/pdf;base64,JVBERg==',
];
const mediaBlock = fc.record({
  type: fc.constant('image_url'),
  image_url: fc.record({ url: fc.constantFrom(...urls) }),
  cache_control: hint,
});
const user = fc
  .oneof(text, fc.array(fc.oneof(textBlock, mediaBlock), { minLength: 1, maxLength: 3 }))
  .map((content) => ({ role: 'user', content }));
const said = text.map((content) => ({ role: 'assistant', content }));

const value = fc.jsonValue({ maxDepth: 2 });
const argumentTexts = fc.oneof(
  fc.record({ q: value, ü: value }, { requiredKeys: [] }).map((given) => JSON.stringify(given, null, 1)),
  fc.constantFrom('', '{broken', '[1]', '5', 'null'),
);
const callId = fc.oneof(fc.constantFrom('call_1', 'toolu_A', 'odd id/ü'), fc.uuid());

/** A turn of the model with calls, and their results in some order; the first call may be answered twice. */
function toolRound(names: readonly string[]): fc.Arbitrary<object[]> {
  const call = fc.record({ id: callId, name: fc.constantFrom(...names), text: argumentTexts });
  return fc
    .record({
      content: fc.option(text),
      calls: fc.uniqueArray(call, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
      results: fc.array(text, { minLength: 4, maxLength: 4 }),
      isReversed: fc.boolean(),
      isRepeated: fc.boolean(),
    })
    .map(({ content, calls, results, isReversed, isRepeated }) => {
      const answered = [
        ...(isReversed ? calls.toReversed() : calls),
        ...(isRepeated ? calls.slice(0, 1) : []),
      ];
      const tool_calls = calls.map(({ id, name, text: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
      }));
      return [
        { role: 'assistant', content, tool_calls },
        ...answered.map(({ id }, i) => ({ role: 'tool', tool_call_id: id, content: results[i] })),
      ];
    });
}

const schema = fc.option(
  fc.record({
    properties: fc.constantFrom({}, { q: { type: 'string', enum: ['ü', 'v'] } }),
    required: fc.constant([]),
  }),
  { nil: undefined },
);
const toolNames = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/), { maxLength: 3 });
const description = fc.option(text, { nil: undefined });

/** `tools` with their choice; empty without names. */
function offered(names: readonly string[]): fc.Arbitrary<object> {
  if (names.length === 0) return fc.constant({});
  const tools = fc.tuple(
    ...names.map((name) =>
      fc.record({
        type: fc.constant('function'),
        function: fc.record({ name: fc.constant(name), description, parameters: schema }),
        cache_control: fc.constantFrom(undefined, { type: 'ephemeral', ttl: '1h' }),
      }),
    ),
  );
  const named = fc.constantFrom(...names).map((name) => ({ type: 'function', function: { name } }));
  const tool_choice = fc.oneof(fc.constantFrom('auto', 'none', 'required'), named);
  return fc.record({ tools, tool_choice, parallel_tool_calls: fc.boolean() }, { requiredKeys: ['tools'] });
}

const stop = fc.constantFrom('\n', ' \t', 'END', '\n\nHuman:', '停止', '😀');
const options = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 1, 1.5, 2),
    top_p: fc.constantFrom(0, 0.25, 1),
    max_tokens: fc.constantFrom(1, 1000, 65_000, 70_000),
    stop: fc.oneof(stop, fc.uniqueArray(stop, { maxLength: 4 })),
    seed: fc.integer(),
    user: text,
    stream: fc.boolean(),
    metadata: fc.constant({ tag: 'value' }),
    response_format: fc.constantFrom({ type: 'text' }, { type: 'json_object' }),
  },
  { requiredKeys: [] },
);

/**
 * A legal request without its model. Has at most four cache marks, the long-lived ones first, as the messages dialect
 * requires.
 */
export const legalRequest: fc.Arbitrary<Readonly<Record<string, unknown>>> = toolNames.chain((names) =>
  fc
    .record({
      system: fc.option(text),
      turns: fc.array(
        fc.oneof(
          user.map((turn) => [turn]),
          said.map((turn) => [turn]),
          toolRound(names.length > 0 ? names : ['past_call']),
        ),
        {
          maxLength: 5,
        },
      ),
      last: fc.oneof(user, said),
      tools: offered(names),
      options,
    })
    .map(({ system, turns, last, tools, options: chosen }) => ({
      messages: [...(system === null ? [] : [{ role: 'system', content: system }]), ...turns.flat(), last],
      ...tools,
      ...chosen,
    }))
    .filter((body) => JSON.stringify(body).split('"ephemeral"').length <= 5),
);
