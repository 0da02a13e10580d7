import { type Random, seededRandom } from '../../random.ts';
import { generateExample } from './example.ts';
import type { Prompt, PromptTool } from './prompt.ts';
import { words } from './words.ts';

const capitalWords = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));

/** The model's content without a script. */
export interface GeneratedContent {
  readonly text: string | null;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/**
 * Generates content: a call if the request forces one, a JSON document if it asks for one, otherwise a text of 12 to 40
 * words. It depends only on the process seed, the model, the conversation and the request's seed.
 */
export function generateContent(prompt: Prompt, processSeed: number): GeneratedContent {
  const { model, conversation, seed, format } = prompt;
  const random = seededRandom('content', processSeed, model, conversation, seed);
  const forced = forcedTool(prompt, random);
  if (forced !== null) {
    const example = generateExample(forced.parameters ?? {}, random);
    const given = typeof example === 'object' && example !== null ? example : {};
    return { text: null, calls: [{ name: forced.name, arguments: JSON.stringify(given) }] };
  }
  if (format === 'text') return { text: generateText(random), calls: [] };
  const document = format.schema === null ? generateDocument(random) : generateExample(format.schema, random);
  return { text: JSON.stringify(document), calls: [] };
}

/** The shown reasoning without a script. It depends on the same facts as the content. */
export function generateReasoning({ model, conversation, seed }: Prompt, processSeed: number): string {
  return generateText(seededRandom('reasoning', processSeed, model, conversation, seed));
}

function forcedTool({ choice, tools }: Prompt, random: Random): PromptTool | null {
  if (choice === 'required') return random.pick(tools);
  if (typeof choice === 'string') return null;
  return tools.find((tool) => tool.name === choice.name) ?? null;
}

function generateText(random: Random): string {
  const count = random.between(12, 40);
  const chosen: number[] = [];
  while (chosen.length < count) chosen.push(random.below(words.length));
  let text = '';
  for (let at = 0; at < count; ) {
    const end = Math.min(at + random.between(5, 12), count);
    text += `${at === 0 ? '' : ' '}${capitalWords[chosen[at] ?? 0]}`;
    for (at += 1; at < end; at += 1) text += ` ${words[chosen[at] ?? 0]}`;
    text += '.';
  }
  return text;
}

function generateDocument(random: Random): Record<string, unknown> {
  return {
    title: `${random.pick(words)} ${random.pick(words)}`,
    count: random.between(1, 99),
    items: Array.from({ length: random.between(1, 3) }, () => random.pick(words)),
    done: random.below(2) === 1,
  };
}
