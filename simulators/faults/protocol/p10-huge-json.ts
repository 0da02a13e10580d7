import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { editJson, literal } from '../native/answer-json.ts';
import { editUsage } from '../native/answer-members.ts';

/** Valid JSON, but beyond the range of a double, which most parsers use. */
const hugeNumber = '1e400';
const depth = 10_000;

/** The output counts, which cost most. */
const outputCounts = [
  'completion_tokens',
  'total_tokens',
  'output_tokens',
  'candidatesTokenCount',
  'totalTokenCount',
];

/** Valid JSON that a careless reader cannot handle: huge numbers or extreme depth. */
export const hugeJson: Fault = {
  id: 'P10',
  kind: 'edit',
  actsOn: actsOn.usage,
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
