import type { DialectName } from '../../answers/native-answer.ts';
import { mapEvents } from './edit-answer.ts';
import { isJsonObject, type JsonObject, readPath, withMember } from './json-path.ts';
import type { OpenFrame } from './open-answer.ts';
import { isDelta } from './places.ts';
import { finalUsage, usageMember, withoutUsage } from './usage-places.ts';
import { countedIn, recount } from './usage-sums.ts';

/** Finish reasons by their numbers in the protocol buffer of generate-content. */
const reasonNumbers = new Map([
  ['STOP', 1],
  ['MAX_TOKENS', 2],
  ['SAFETY', 3],
  ['RECITATION', 4],
]);

/** Each piece of text has the counts of its own tokens, and the first one those of the prompt. No later chunk has the sums. */
export function usageInParts(frames: readonly OpenFrame[], dialect: DialectName): OpenFrame[] {
  const usage = finalUsage(frames, dialect);
  const pieces = frames.filter(isDelta);
  if (usage === undefined || pieces.length === 0) return [...frames];
  const { completion } = countedIn(usage, dialect);
  const names = namesOf(dialect);
  const member = usageMember(dialect);
  let before = 0;
  return withoutUsage(frames, dialect).map((frame) => {
    if (!isDelta(frame)) return frame;
    const k = pieces.findIndex(({ label }) => label === frame.label);
    const upTo = Math.ceil((completion * (k + 1)) / pieces.length);
    const part = upTo - before;
    before = upTo;
    const own = recount(usage, dialect, {
      [names.prompt]: k === 0 ? 'prompt' : '0',
      [names.cached]: k === 0 ? 'cached' : '0',
      [names.completion]: String(part),
      [names.total]: k === 0 ? `prompt + ${part}` : String(part),
    });
    return { ...frame, ...mapEvents([frame], (data) => withMember(data, [member], own))[0] };
  });
}

function namesOf(dialect: DialectName): Record<'prompt' | 'cached' | 'completion' | 'total', string> {
  return dialect === 'generate-content'
    ? {
        prompt: 'promptTokenCount',
        cached: 'cachedContentTokenCount',
        completion: 'candidatesTokenCount',
        total: 'totalTokenCount',
      }
    : {
        prompt: 'prompt_tokens',
        cached: 'prompt_tokens_details.cached_tokens',
        completion: 'completion_tokens',
        total: 'total_tokens',
      };
}

/** The index of a choice: 1 in every chunk, or the number of the chunk. */
export function withChoiceIndex(frames: readonly OpenFrame[], index: 'one' | 'counting'): OpenFrame[] {
  let chunks = 0;
  return mapEvents(frames, (data) => {
    const { choices } = data;
    if (!Array.isArray(choices) || choices.length === 0) return data;
    chunks += 1;
    const own = index === 'one' ? 1 : chunks;
    return { ...data, choices: choices.map((choice: JsonObject) => ({ ...choice, index: own })) };
  });
}

/** Finish reasons as the numbers of the protocol buffer. */
export function withReasonNumbers(frames: readonly OpenFrame[]): OpenFrame[] {
  return mapEvents(frames, (data) => renamed(data, (name) => name, reasonNumbers) as JsonObject);
}

/** Members under their names in the protocol buffer: `finish_reason`. Arguments of calls stay as they are. */
export function inSnakeCase(frames: readonly OpenFrame[]): OpenFrame[] {
  const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return mapEvents(frames, (data) => renamed(data, snake) as JsonObject);
}

function renamed(
  value: unknown,
  nameOf: (name: string) => string,
  numbers: ReadonlyMap<string, number> = new Map(),
): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, nameOf, numbers));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'args') return [name, member];
      const number = name === 'finishReason' ? numbers.get(String(member)) : undefined;
      return [nameOf(name), number ?? renamed(member, nameOf, numbers)];
    }),
  );
}

const deltaText = ['choices', 0, 'delta', 'content'];
const messageText = ['choices', 0, 'message', 'content'];

/** Each piece of a stream has the whole text so far. */
export function withTextSoFar(frames: readonly OpenFrame[]): OpenFrame[] {
  let soFar = '';
  return mapEvents(frames, (data) => {
    const text = readPath(data, deltaText);
    if (typeof text !== 'string' || text === '') return data;
    soFar += text;
    return withMember(data, deltaText, soFar);
  });
}

/** Texts are lists of parts; the one before the first has what the model thought. */
export function withTextInParts(frames: readonly OpenFrame[]): OpenFrame[] {
  let hasThought = false;
  return mapEvents(frames, (data) => {
    const path = [deltaText, messageText].find((one) => (readPath(data, one) ?? '') !== '');
    if (path === undefined) return data;
    const text = { type: 'text', text: readPath(data, path) };
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
    const parts = hasThought ? [text] : [thought, text];
    hasThought = true;
    return withMember(data, path, parts);
  });
}
