import { type ChatDialectName, chatDialect, type DialectName } from '../../answers/native-answer.ts';
import { type JsonObject, readPath, withMember } from './json-path.ts';

/** The counts in a native usage object: all input, the cached and written parts of it, all output, and its reasoning. */
const countNames = ['prompt', 'cached', 'written', 'completion', 'reasoning'] as const;
type Counted = Readonly<Record<(typeof countNames)[number], number>>;

/**
 * Replaces the counts in a usage object of the simulators.
 * @param counts sums by path: `{ "total_tokens": "prompt + completion" }`
 */
export function recount(
  usage: JsonObject,
  dialect: DialectName,
  counts: Readonly<Record<string, string>>,
): JsonObject {
  const counted = countedIn(usage, dialect);
  return Object.entries(counts).reduce<JsonObject>(
    (all, [path, sum]) => withMember(all, path.split('.'), sumOf(sum, counted)),
    {},
  );
}

/** The counts in a usage object. */
export function countedIn(usage: JsonObject, dialect: DialectName): Counted {
  return countedBy[chatDialect(dialect)](usage);
}

/** A sum of names and numbers: `prompt - cached + 2`. */
export const sumPattern = new RegExp(
  `^(?:${countNames.join('|')}|\\d+)(?: [+-] (?:${countNames.join('|')}|\\d+))*$`,
);

function sumOf(sum: string, counted: Counted): number {
  const [first = '0', ...rest] = sum.split(' ');
  let value = termOf(first, counted);
  for (let at = 0; at < rest.length; at += 2) {
    const term = termOf(rest[at + 1] ?? '0', counted);
    value += rest[at] === '-' ? -term : term;
  }
  return value;
}

function termOf(word: string, counted: Counted): number {
  const name = countNames.find((one) => one === word);
  return name === undefined ? Number(word) : counted[name];
}

const countedBy: Readonly<Record<ChatDialectName, (usage: JsonObject) => Counted>> = {
  'chat-completions': (usage) => ({
    prompt: numberAt(usage, 'prompt_tokens'),
    cached: numberAt(usage, 'prompt_tokens_details', 'cached_tokens'),
    written: 0,
    completion: numberAt(usage, 'completion_tokens'),
    reasoning: numberAt(usage, 'completion_tokens_details', 'reasoning_tokens'),
  }),
  messages: (usage) => {
    const cached = numberAt(usage, 'cache_read_input_tokens');
    const written = numberAt(usage, 'cache_creation_input_tokens');
    return {
      ...{ cached, written, prompt: numberAt(usage, 'input_tokens') + cached + written },
      completion: numberAt(usage, 'output_tokens'),
      reasoning: numberAt(usage, 'output_tokens_details', 'thinking_tokens'),
    };
  },
  'generate-content': (usage) => {
    const reasoning = numberAt(usage, 'thoughtsTokenCount');
    return {
      ...{ written: 0, reasoning, completion: numberAt(usage, 'candidatesTokenCount') + reasoning },
      prompt: numberAt(usage, 'promptTokenCount'),
      cached: numberAt(usage, 'cachedContentTokenCount'),
    };
  },
};

function numberAt(usage: JsonObject, ...path: readonly string[]): number {
  const count = readPath(usage, path);
  return typeof count === 'number' ? count : 0;
}
