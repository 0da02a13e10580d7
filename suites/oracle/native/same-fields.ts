import { isDeepStrictEqual } from 'node:util';
import { chatModel } from '../chat-catalogue.ts';
import { forcesJson, hasForce } from './forced-json.ts';
import { sameTools } from './same-tools.ts';
import { toolNames } from './tool-names.ts';
import type { NativeFields, NativeView, ToolChoice } from './view.ts';

/** The sampling fields and others that must arrive unchanged (CHAT-050). */
export const forwardedFields = [
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'seed',
  'tools',
  'tool_choice',
  'response_format',
] as const;
export type ForwardedField = (typeof forwardedFields)[number];

/** The minimum max_tokens at the upstream if the caller names none, as a share of the window less the prompt. */
const mostOfWindow = 0.8;
/** The same where the window is unknown, tokens. */
const roomyAnswer = 16_000;
/** Above this value a request may exceed the model's maximum output, and the gateway may reduce it (reading B-15), tokens. */
const largestAnswer = 8_000;

/**
 * Compares a field at the upstream with the caller's; null when both mean the same. A value that the dialect cannot express
 * may be missing: see the rules of each field.
 */
export function fieldFault(
  name: ForwardedField,
  sent: NativeView,
  seen: NativeView,
): { expected: string; actual: string } | null {
  if (arrived[name](sent, seen)) return null;
  const isDefault = name === 'max_tokens' && sent.fields.max_tokens === null;
  const isBeyond =
    name === 'temperature' && seen.dialect === 'messages' && Number(sent.fields.temperature) > 1;
  const expected = isDefault
    ? `max_tokens ${roomFor(sent)} or more, or none: the caller named none`
    : isBeyond
      ? 'temperature 1, the most that this dialect takes'
      : shown(name, sent);
  return { expected, actual: shown(name, seen) };
}

const arrived: Readonly<Record<ForwardedField, (sent: NativeView, seen: NativeView) => boolean>> = {
  temperature: (sent, seen) => {
    const wanted = sent.fields.temperature ?? 1;
    const found = seen.fields.temperature ?? 1;
    if (seen.dialect !== 'messages') return found === wanted;
    // The dialect allows values up to 1.
    return found === Math.min(Number(wanted), 1) || isLeftOut('temperature', 'top_p', sent, seen);
  },
  top_p: (sent, seen) => {
    if ((seen.fields.top_p ?? 1) === (sent.fields.top_p ?? 1)) return true;
    return seen.dialect === 'messages' && isLeftOut('top_p', 'temperature', sent, seen);
  },
  max_tokens: (sent, seen) => {
    const [wanted, found] = [sent.fields.max_tokens, seen.fields.max_tokens];
    if (wanted === null) return found === null || Number(found) >= roomFor(sent);
    if (isDeepStrictEqual(wanted, found)) return true;
    return found !== null && Number(found) >= largestAnswer && Number(found) < Number(wanted);
  },
  stop: (sent, seen) => {
    const found = seen.fields.stop;
    // A gateway that validates nothing forwards a stop that is not a list.
    if (!Array.isArray(sent.fields.stop) || !Array.isArray(found))
      return isDeepStrictEqual(sent.fields.stop, found);
    // One dialect refuses stop texts of white space only, so the gateway must enforce these itself.
    const wanted = sent.fields.stop.filter(
      (stop) => seen.dialect !== 'messages' || found.includes(stop) || /\S/.test(String(stop)),
    );
    const added = forcesJson(sent, seen) ? found.length : wanted.length;
    return isDeepStrictEqual(wanted, found.slice(0, wanted.length)) && found.length <= added;
  },
  seed: (sent, seen) => {
    const [wanted, found] = [sent.fields.seed, seen.fields.seed];
    // The messages dialect has no seed; generate-content has a signed one of 32 bits (reading B-20).
    if (seen.dialect === 'messages') return found === null || isDeepStrictEqual(wanted, found);
    return (seen.dialect === 'generate-content' && isLongSeed(wanted)) || isDeepStrictEqual(wanted, found);
  },
  tools: sameTools,
  tool_choice: (sent, seen) => {
    if (forcesJson(sent, seen)) return true;
    // Without tools there is nothing to choose from.
    if (sent.tools.length === 0 && ['auto', 'none'].includes(String(choiceOf(sent))))
      return ['auto', 'none'].includes(String(choiceOf(seen)));
    const names = toolNames(sent, seen);
    const wanted = choiceOf(sent);
    const named = typeof wanted === 'object' ? { name: names.get(wanted.name) ?? wanted.name } : wanted;
    return isDeepStrictEqual(named, choiceOf(seen));
  },
  response_format: (sent, seen) => {
    const [wanted, found] = [sent.fields.response_format, seen.fields.response_format];
    if (forcesJson(sent, seen)) return hasForce(sent, seen);
    if (wanted === null || found === null) return wanted === found;
    const isKind = wanted.type === found.type;
    return isKind && (seen.dialect !== 'chat-completions' || isDeepStrictEqual(wanted.schema, found.schema));
  },
};

/** The least room for an answer by default: the window less the prompt (reading B-15), whose exact tokens are unknown. */
function roomFor({ model, turns, system, tools }: NativeView): number {
  const known = chatModel(String(model));
  if (known === undefined) return roomyAnswer;
  // No text has more tokens than characters.
  return mostOfWindow * known.contextK * 1_000 - JSON.stringify([turns, system, tools]).length;
}

/**
 * Whether the gateway dropped one sampling field for the other in a dialect that allows only one. A field at its default does
 * not justify dropping the other.
 */
function isLeftOut(
  left: 'temperature' | 'top_p',
  kept: 'temperature' | 'top_p',
  sent: NativeView,
  seen: NativeView,
): boolean {
  const says = ![null, 1].includes(sent.fields[kept] as number | null);
  return says && sent.fields[left] !== null && seen.fields[left] === null && seen.fields[kept] !== null;
}

/** Whether a value does not fit 32 bits; one that no double can hold is an object here. */
function isLongSeed(value: unknown): boolean {
  return typeof value === 'number' ? value !== (value | 0) : value !== null && typeof value === 'object';
}

/** A missing choice means auto, and with one tool `required` means this tool. */
function choiceOf({ fields, tools }: NativeView): ToolChoice {
  const choice = fields.tool_choice ?? 'auto';
  return typeof choice === 'object' && tools.length === 1 && tools[0]?.name === choice.name
    ? 'required'
    : choice;
}

function shown(name: ForwardedField, view: NativeView): string {
  const value = name === 'tools' ? view.tools : view.fields[name as keyof NativeFields];
  return `${name} ${JSON.stringify(value)}`;
}
