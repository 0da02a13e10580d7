import type { ExtraModel } from '../profile/profile.ts';
import { isJsonObject } from '../values/json.ts';

/** What a list of models says of one. */
export interface ListedFacts {
  readonly context?: number;
  readonly capabilities?: ExtraModel['capabilities'];
}

/** The names that lists have for the window of a model, the most frequent first. */
const windows = [
  ...['context_length', 'context_window', 'max_context_length', 'max_model_len', 'max_input_tokens'],
  ...['inputTokenLimit', 'context_size', 'max_context_tokens'],
];

/** The words that lists have for capabilities. */
const words = {
  tools: /^(?:supports_)?(?:tools?|tool_calls?|tool_use|function_call(?:s|ing)?|functions)$/i,
  vision: /^(?:supports_)?(?:vision|images?|image_input)$/i,
  stream: /^(?:supports_)?(?:stream|streams|streaming)$/i,
  cache: /^(?:supports_)?(?:cache|prompt_cach(?:e|ing))$/i,
} as const;

/** The facts of the models in a list, by the id of each. Models of which it says nothing are left out. */
export function listedFacts(list: unknown): Map<string, ListedFacts> {
  const found = new Map<string, ListedFacts>();
  const items: unknown[] = isJsonObject(list) ? [list.data, list.models].flat() : [list].flat();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    const id = [item.id, item.name, item.model].find((one) => typeof one === 'string');
    const [context, capabilities] = [windowIn(item), capabilitiesIn(item)];
    if (typeof id !== 'string' || (context === undefined && capabilities === undefined)) continue;
    found.set(id.replace(/^models\//, ''), {
      ...(context !== undefined && { context }),
      ...(capabilities !== undefined && { capabilities }),
    });
  }
  return found;
}

function windowIn(item: Readonly<Record<string, unknown>>): number | undefined {
  const sizes = windows.map((name) => item[name]);
  return sizes.find((size): size is number => Number.isInteger(size) && Number(size) >= 1_000);
}

/** The capabilities, where the list says of both tools and images whether the model takes them. */
function capabilitiesIn(item: Readonly<Record<string, unknown>>): ExtraModel['capabilities'] | undefined {
  const said = new Map<keyof typeof words, boolean>();
  const note = (word: string, has: boolean): void => {
    for (const name of Object.keys(words) as (keyof typeof words)[])
      if (words[name].test(word)) said.set(name, has);
  };
  for (const [name, value] of Object.entries(item)) if (typeof value === 'boolean') note(name, value);
  const { capabilities, architecture } = item;
  const parts = [capabilities, item.features, item.supported_parameters].filter(Array.isArray).flat();
  if (parts.some((part) => words.tools.test(String(part)) || words.vision.test(String(part)))) {
    note('tools', false);
    note('vision', false);
  }
  for (const part of parts) note(String(part), true);
  if (isJsonObject(capabilities))
    for (const [name, value] of Object.entries(capabilities))
      if (typeof value === 'boolean') note(name, value);
  const inputs = isJsonObject(architecture) ? architecture.input_modalities : item.input_modalities;
  if (Array.isArray(inputs)) note('vision', inputs.includes('image'));
  if (!said.has('tools') || !said.has('vision')) return undefined;
  const able = (['tools', 'vision', 'cache'] as const).filter((name) => said.get(name) === true);
  return said.get('stream') === false ? able : [...able, 'stream'];
}
