import { isDeepStrictEqual } from 'node:util';
import { forcesJson } from './forced-json.ts';
import { readJson } from './json.ts';
import { sameMedium } from './same-medium.ts';
import { toolNames } from './tool-names.ts';
import {
  type Call,
  type MediaPart,
  type NativeView,
  type Part,
  type Result,
  type Turn,
  textOf,
} from './view.ts';

/** The part of a conversation that arrived changed. */
export interface TurnFault {
  readonly aspect: 'turn-order' | 'turn-content';
  readonly expected: string;
  readonly actual: string;
}

/**
 * Compares the conversation that reached an upstream with the one that was sent. A dialect may change some things:
 * - how a text is split into blocks, and whether adjacent turns of one role are one
 * - the order of adjacent tool results, and the ids of calls, as long as each result keeps its call
 * - the object around a result, and additions that force JSON
 */
export function turnFault(sent: NativeView, seen: NativeView): TurnFault | null {
  const lenient = forcesJson(sent, seen);
  const wanted = stepsOf(sent, seen.dialect);
  const found = stepsOf(seen, seen.dialect);
  // A prefilled answer that forces JSON.
  if (lenient && wanted.at(-1)?.role !== 'assistant' && found.at(-1)?.role === 'assistant') found.pop();
  const [sentRoles, seenRoles] = [rolesOf(wanted), rolesOf(found)];
  if (sentRoles !== seenRoles) return { aspect: 'turn-order', expected: sentRoles, actual: seenRoles };
  const names = toolNames(sent, seen);
  const place = wanted.findIndex((step, index) => {
    const other = found[index];
    const mayGrow = lenient && (step.role === 'system' || index === wanted.length - 1);
    return other === undefined || !sameStep(step, other, { names, mayGrow });
  });
  if (place === -1) return null;
  return {
    aspect: 'turn-content',
    expected: `turn ${place} as sent: ${shownStep(wanted[place])}`,
    actual: shownStep(found[place]),
  };
}

/** A turn, or a row of tool results. Calls are numbered over the whole conversation. */
interface Step {
  readonly role: string;
  readonly parts: readonly (string | MediaPart | Part)[];
  readonly calls: readonly Call[];
  /** By the number of the call that they answer; null for a result without a call. */
  readonly results: readonly {
    readonly call: number | null;
    /** The name of that call's function. */
    readonly called: string | null;
    readonly result: Result;
  }[];
}

function stepsOf(view: NativeView, dialect: NativeView['dialect']): Step[] {
  const system: Step[] =
    view.system.length === 0 ? [] : [{ role: 'system', parts: joined(view.system), calls: [], results: [] }];
  const steps: Step[] = [];
  for (const { turn, call, called } of withCallNumbers(view.turns)) {
    const { role, parts, calls, result } = turn;
    const last = steps.at(-1);
    // Two dialects allow no two turns of one role in a row. In all of them, neighbouring tool results have no
    // order.
    const joins = last?.role === role && (role === 'tool' || dialect !== 'chat-completions');
    const before = joins ? last : { role, parts: [], calls: [], results: [] };
    const step = {
      role,
      parts: joined([...before.parts, ...parts]),
      calls: [...before.calls, ...calls],
      results:
        result === null
          ? before.results
          : [...before.results, { call, called, result }].sort((a, b) => (a.call ?? -1) - (b.call ?? -1)),
    };
    if (joins) steps[steps.length - 1] = step;
    else steps.push(step);
  }
  return [...system, ...steps];
}

/**
 * Each turn, with the call number of each tool result. That call is the one with the same id in the last turn that has this
 * id. In a dialect without ids it is the next call of the same function in the last turn with calls.
 */
export function withCallNumbers(
  turns: readonly Turn[],
): { turn: Turn; call: number | null; called: string | null }[] {
  const made: { call: Call; number: number; turn: number; answered: boolean }[] = [];
  return turns.map((turn, index) => {
    for (const call of turn.calls) made.push({ call, number: made.length, turn: index, answered: false });
    const { result } = turn;
    if (result === null) return { turn, call: null, called: null };
    const last = made.at(-1)?.turn;
    const answers =
      made.findLast(({ call }) => result.callId !== null && call.id === result.callId) ??
      made.find(
        ({ call, turn: at, answered }) =>
          at === last && !answered && call.id === null && result.name !== null && call.name === result.name,
      );
    if (answers !== undefined) answers.answered = true;
    return { turn, call: answers?.number ?? null, called: answers?.call.name ?? null };
  });
}

/** Joins neighbouring texts. */
function joined(parts: Step['parts']): (string | MediaPart | Part)[] {
  const whole: (string | MediaPart | Part)[] = [];
  for (const part of parts) {
    const text = typeof part === 'string' ? part : part.kind === 'text' ? part.text : null;
    const last = whole.at(-1);
    if (text !== null && typeof last === 'string') whole[whole.length - 1] = last + text;
    else whole.push(text ?? part);
  }
  return whole;
}

function sameStep(
  sent: Step,
  seen: Step,
  { names, mayGrow }: { names: ReadonlyMap<string, string>; mayGrow: boolean },
): boolean {
  const sameParts = mayGrow
    ? textIn(seen).includes(textIn(sent))
    : sent.parts.length === seen.parts.length &&
      sent.parts.every((part, index) => samePart(part, seen.parts[index]));
  return (
    sameParts &&
    isDeepStrictEqual(
      sent.calls.map((call) => ({
        name: names.get(call.name) ?? call.name,
        arguments: call.arguments,
      })),
      seen.calls.map((call) => ({ name: call.name, arguments: call.arguments })),
    ) &&
    sent.results.length === seen.results.length &&
    sent.results.every(({ call, result }, index) => {
      const other = seen.results[index];
      return (
        other !== undefined &&
        other.call === call &&
        carries(other.result.value, result.value) &&
        // If a dialect names the function in the result, it must be the called one.
        (other.result.name === null || other.called === null || other.result.name === other.called)
      );
    })
  );
}

function samePart(sent: Step['parts'][number], seen: Step['parts'][number] | undefined): boolean {
  if (typeof sent === 'string' || typeof seen === 'string') return sent === seen;
  if (sent.kind !== 'media' || seen?.kind !== 'media') return isDeepStrictEqual(sent, seen);
  return sameMedium(sent, seen);
}

/**
 * Whether the text of a tool result arrived: unchanged, as a member of an object, or as the JSON that it
 * encodes.
 */
export function carries(seen: unknown, sent: unknown): boolean {
  if (isDeepStrictEqual(seen, sent)) return true;
  if (seen === null || typeof seen !== 'object' || Array.isArray(seen)) return false;
  const values = [seen, ...Object.values(seen)];
  const meant = [sent, parsed(sent)];
  return (
    (sent === '' && Object.keys(seen).length === 0) ||
    values.some((value) => meant.some((one) => one !== undefined && isDeepStrictEqual(value, one)))
  );
}

function parsed(text: unknown): unknown {
  try {
    return readJson(String(text));
  } catch {
    return undefined;
  }
}

function rolesOf(steps: readonly Step[]): string {
  return steps.map((step) => step.role).join(', ');
}

function textIn(step: Step): string {
  return step.parts.map((part) => (typeof part === 'string' ? part : '')).join('');
}

function shownStep(step: Step | undefined): string {
  if (step === undefined) return 'no such turn';
  const { role, parts, calls, results } = step;
  return JSON.stringify({
    role,
    parts,
    ...(calls.length > 0 ? { calls } : {}),
    ...(results.length > 0 ? { results } : {}),
  });
}

/** The system text of a request as one string. */
export function systemText(view: NativeView): string {
  return textOf({ parts: view.system });
}
