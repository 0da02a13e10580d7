import fc from 'fast-check';
import { callOf } from '../oracle/sample-tools.ts';
import { unicodeText } from './unicode-text.ts';

/** A turn of the history in the form of `messages`. */
export type Turn = Readonly<Record<string, unknown>>;

const system: fc.Arbitrary<Turn> = unicodeText.map((content) => ({ role: 'system', content }));

const userContent: fc.Arbitrary<unknown> = fc.oneof(
  unicodeText,
  fc
    .array(unicodeText, { minLength: 1, maxLength: 3 })
    .map((texts) => texts.map((text) => ({ type: 'text', text }))),
);

const said: fc.Arbitrary<Turn[]> = fc.tuple(userContent, unicodeText).map(([content, reply]) => [
  { role: 'user', content },
  { role: 'assistant', content: reply },
]);

/** Arguments of a call, as the model gave them: none, or members of every kind, some of them empty. */
const args: fc.Arbitrary<string> = fc.oneof(
  fc.constant('{}'),
  fc
    .record({
      word: unicodeText,
      all: fc.array(fc.integer(), { maxLength: 2 }),
      deep: fc.constantFrom({}, null),
    })
    .map((members) => JSON.stringify(members)),
);

/** A finished tool round: the question, one or two calls with or without text, and their results. */
const toolRound: fc.Arbitrary<Turn[]> = fc
  .record({
    question: unicodeText,
    text: fc.option(unicodeText, { nil: null }),
    rounds: fc.array(fc.record({ given: args, result: unicodeText }), { minLength: 1, maxLength: 2 }),
    tag: fc.stringMatching(/^[a-z0-9]{6}$/),
    isClosed: fc.boolean(),
  })
  .map(({ question, text, rounds, tag, isClosed }) => {
    const calls = rounds.map(({ given }, index) => callOf(`call_${tag}${index}`, undefined, given));
    return [
      { role: 'user', content: question },
      { role: 'assistant', content: text, tool_calls: calls },
      ...rounds.map(({ result }, index) => ({
        role: 'tool',
        tool_call_id: calls[index]?.id,
        content: result,
      })),
      // A user may continue before the model has answered the results.
      ...(isClosed ? [{ role: 'assistant', content: 'So it is.' }] : []),
    ];
  });

/**
 * A conversation before the last user message, in the strictest reading.
 * At most one system message comes first, then users and assistants alternate. Tool rounds call `look_up`,
 * which the request must define.
 */
export const transcript: fc.Arbitrary<Turn[]> = fc
  .tuple(fc.option(system, { nil: undefined }), fc.array(fc.oneof(said, toolRound), { maxLength: 3 }))
  .map(([first, rounds]) => {
    const turns = rounds.flatMap((round, index) => distinctCalls(round, index));
    return first === undefined ? turns : [first, ...turns];
  });

/** Call ids are unique in the whole conversation. */
function distinctCalls(round: readonly Turn[], index: number): Turn[] {
  return JSON.parse(JSON.stringify(round).replaceAll('"call_', `"call_${index}_`)) as Turn[];
}

export function hasToolRound(turns: readonly Turn[]): boolean {
  return turns.some((turn) => turn.role === 'tool');
}
