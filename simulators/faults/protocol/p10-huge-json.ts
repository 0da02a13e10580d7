import type { Fault } from '../../fault-contract/fault.ts';
import { editJson, literal } from '../native/answer-json.ts';
import { editUsage } from '../native/answer-members.ts';

/** More than any number of the language that most readers are written in. */
const hugeNumber = '1e400';
const depth = 10_000;

/** The counts of output, which are what costs most. */
const outputCounts = [
  'completion_tokens',
  'total_tokens',
  'output_tokens',
  'candidatesTokenCount',
  'totalTokenCount',
];

/** JSON by its grammar, and too much for a careless reader. */
export const hugeJson: Fault = {
  id: 'P10',
  kind: 'edit',
  answer: (given, { form }) =>
    editJson(given, (document, { at }) => {
      if (form === 'deep-json') {
        const nested = literal('['.repeat(depth) + ']'.repeat(depth));
        return at === 0 ? { ...document, marginal_note: nested } : document;
      }
      return editUsage(document, given.dialect, (usage) => ({
        ...usage,
        ...Object.fromEntries(
          outputCounts.filter((name) => name in usage).map((name) => [name, literal(hugeNumber)]),
        ),
      }));
    }),
};
