import { seededRandom } from '../../random.ts';
import { generateExample } from './example.ts';
import type { Prompt } from './prompt.ts';

/** The parts that can be added to an answer, so that a fault has something to change. */
export const fits = ['usage', 'text', 'tool_calls'] as const;
export type Fit = (typeof fits)[number];

/** Characters of two to four bytes for the beginning of an answer's text. */
const added = 'Ü – 🌊 ';

/** A text with multi-byte characters. A JSON document stays unchanged. */
export function fittingText(text: string | null, { format }: Prompt): string | null {
  return format === 'text' ? `${added}${text ?? 'and so on.'}` : text;
}

/** Two calls of an offered tool, with an escape in their arguments where these allow one; none without a tool. */
export function fittingCalls({
  tools,
  choice,
}: Prompt): { readonly name: string; readonly arguments: string }[] {
  const chosen = typeof choice === 'string' ? undefined : tools.find(({ name }) => name === choice.name);
  const tool = chosen ?? tools[0];
  if (tool === undefined || choice === 'none') return [];
  const call = (nth: number) => {
    const example = generateExample(tool.parameters ?? {}, seededRandom('fit', tool.name, nth));
    const given = typeof example === 'object' && example !== null ? example : {};
    return { name: tool.name, arguments: JSON.stringify(withEscape(given, tool.parameters)) };
  };
  return [call(1), call(2)];
}

/** Adds a quotation mark to the first free text among the arguments. */
function withEscape(given: object, schema: unknown): object {
  const { properties } = Object(schema) as { properties?: unknown };
  const isFree = (member: unknown): boolean => {
    const { type, ...rest } = Object(member) as Record<string, unknown>;
    return (
      type === 'string' && !['enum', 'const', 'pattern', 'format', 'maxLength'].some((name) => name in rest)
    );
  };
  const free = Object.entries(Object(properties)).find(([name, member]) => name in given && isFree(member));
  return free === undefined ? given : { ...given, [free[0]]: 'the "old" harbour' };
}
