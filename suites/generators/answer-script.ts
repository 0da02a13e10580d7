import fc from 'fast-check';
import type { Reply } from 'gatecheck-simulators/client';
import { threeTools } from '../oracle/sample-tools.ts';
import type { Dialect } from '../profile/dialects.ts';
import { type FragmentedText, fragmentedText } from './fragmented-text.ts';
import type { NativeCounts } from './native/answer.ts';
import { tokenCounts } from './token-counts.ts';

/** The answer of an upstream, independent of the path that requests it. */
export interface AnswerScript {
  readonly said: FragmentedText | null;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish: 'length' | 'content_filter' | null;
  readonly counts: NativeCounts;
}

/** Values that all JSON readers parse alike. Other checks cover numbers of any length. */
const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);

const call = fc.record({
  name: fc.constantFrom(...threeTools.map((tool) => tool.function.name)),
  arguments: fc
    .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), value, { maxKeys: 4, noNullPrototype: true })
    .map((members) => JSON.stringify(members)),
});

/** Counts of an answer with visible text: not all output tokens are reasoning. */
export function spokenCounts(dialect: Dialect): fc.Arbitrary<NativeCounts> {
  return tokenCounts(dialect).map(({ reasoning_tokens: thought, ...rest }) => ({
    ...rest,
    ...(thought === undefined ? {} : { reasoning_tokens: Math.min(thought, rest.completion_tokens - 1) }),
  }));
}

/** Answers with text, calls or both, every finish reason and any counts. */
export function answerScripts(dialect: Dialect): fc.Arbitrary<AnswerScript> {
  const counts = spokenCounts(dialect);
  const none = fc.constant([]);
  return fc.oneof(
    fc.record({
      said: fragmentedText,
      calls: none,
      finish: fc.constantFrom('length', 'content_filter', null),
      counts,
    }),
    fc.record({
      said: fc.option(fragmentedText),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      finish: fc.constant(null),
      counts,
    }),
  );
}

export function replyOf({ said, calls, finish, counts }: AnswerScript): Reply {
  return {
    ...(said === null ? {} : { text: said.text, deltas: [...said.fragments] }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((one) => ({ ...one })) }),
    ...(finish === null ? {} : { finish }),
    usage: { ...counts },
    obey: false,
  };
}

const counts = { prompt_tokens: 1237, completion_tokens: 89, cached_tokens: 64 };
const said = { text: 'Salt water, 🌊.', fragments: ['Salt ', 'water, ', '🌊.'] };
const calls = [
  { name: 'look_up', arguments: '{"word":"sea","all":[1,2],"none":null}' },
  { name: 'look_up', arguments: '{}' },
];

/** One answer of each kind. */
export const answerExamples: readonly AnswerScript[] = [
  { said, calls: [], finish: null, counts },
  { said, calls: [], finish: 'length', counts },
  { said, calls: [], finish: 'content_filter', counts },
  { said, calls, finish: null, counts },
  { said: null, calls, finish: null, counts },
];
