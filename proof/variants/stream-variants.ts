import type { Variant } from '../edits/mutant.ts';
import { chunkIn, everyChunk, isObject, type JsonObject, toEvent } from './rewrite.ts';

/** Gateways whose streams are divided differently but mean the same. */
export const streamVariants: readonly Variant[] = [
  {
    id: 'stream.merged-deltas',
    title: 'deltas that follow close on each other are sent as one',
    mutation: { wire: { gatherMs: 10 }, join: joinDeltas },
  },
  { id: 'stream.split-deltas', title: 'each delta is cut in two', mutation: everyChunk(halves) },
  {
    id: 'stream.role-with-first-content',
    title: 'role comes together with the first content instead of before it',
    mutation: { events: () => joinRole() },
  },
  {
    id: 'stream.role-alone',
    title: 'the first delta says the role and has no content at all (B-34)',
    mutation: everyChunk((chunk) => [roleOnly(chunk)]),
  },
  {
    id: 'stream.finish-left-out',
    title: 'chunks before the last have no finish_reason instead of null (B-34)',
    mutation: everyChunk((chunk) => [withoutIdleFinish(chunk)]),
  },
  {
    id: 'stream.usage-alone',
    title: 'usage comes in a last chunk of its own, which has no choices (B-33)',
    mutation: everyChunk(usageApart),
  },
  {
    id: 'stream.usage-null-before',
    title: 'all chunks but the last carry usage null (SSE-010)',
    mutation: everyChunk((chunk) => [{ ...chunk, usage: chunk.usage ?? null }]),
  },
];

/** Joins two chunks of text; null unless each has only text in one choice. */
function joinDeltas(first: string, second: string): string | null {
  const [before, after] = [chunkIn(first), chunkIn(second)];
  const [one, other] = [plainText(before), plainText(after)];
  const [choice] = (before?.choices ?? []) as JsonObject[];
  if (one === null || other === null) return null;
  return toEvent({
    ...before,
    choices: [{ ...choice, delta: { ...deltaOf(before), content: one + other } }],
  });
}

/** The text of a chunk that has nothing else. */
function plainText(chunk: JsonObject | null): string | null {
  const delta = deltaOf(chunk);
  const [choice, ...others] = (chunk?.choices ?? []) as JsonObject[];
  const more = others.length > 0 || (choice?.finish_reason ?? null) !== null || isObject(chunk?.usage);
  if (more || delta === null || (delta.tool_calls ?? null) !== null) return null;
  return typeof delta.content === 'string' && delta.content !== '' ? delta.content : null;
}

function roleOnly(chunk: JsonObject): JsonObject {
  if (!saysOnlyRole(chunk)) return chunk;
  const [choice] = (chunk.choices ?? []) as JsonObject[];
  return { ...chunk, choices: [{ ...choice, delta: { role: deltaOf(chunk)?.role } }] };
}

function withoutIdleFinish(chunk: JsonObject): JsonObject {
  const choices = (Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : []).map((choice) => {
    if (!isObject(choice) || choice.finish_reason !== null) return choice;
    const { finish_reason: _, ...rest } = choice;
    return rest;
  });
  return 'choices' in chunk ? { ...chunk, choices } : chunk;
}

/**
 * Splits a chunk in two: the first half of its text or of its only arguments, then the rest with the end of the
 * answer.
 */
function halves(chunk: JsonObject): JsonObject[] {
  const [choice, ...others] = Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : [];
  if (!isObject(choice) || others.length > 0 || !isObject(choice.delta)) return [chunk];
  const cut = halvesOf(choice.delta);
  if (cut === null) return [chunk];
  const { usage: _, ...early } = chunk;
  return [
    { ...early, choices: [{ ...choice, delta: cut[0], finish_reason: null }] },
    { ...chunk, choices: [{ ...choice, delta: cut[1] }] },
  ];
}

function halvesOf(delta: JsonObject): [JsonObject, JsonObject] | null {
  const { role: _, ...later } = delta;
  const text = inTwo(delta.content);
  if (text !== null)
    return [
      { ...delta, content: text[0] },
      { ...later, content: text[1] },
    ];
  const [call, ...others] = Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]) : [];
  if (!isObject(call) || others.length > 0 || !isObject(call.function)) return null;
  const json = inTwo(call.function.arguments);
  if (json === null) return null;
  return [
    { ...delta, tool_calls: [{ ...call, function: { ...call.function, arguments: json[0] } }] },
    { ...later, tool_calls: [{ index: call.index, function: { arguments: json[1] } }] },
  ];
}

/** Splits a text of two or more characters in the middle, never inside a character. */
function inTwo(text: unknown): [string, string] | null {
  const characters = typeof text === 'string' ? [...text] : [];
  if (characters.length < 2) return null;
  const middle = Math.floor(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')];
}

/** Joins a first chunk that has only the role with the next one. */
function joinRole(): (event: string | null) => readonly string[] {
  let held: string | null = null;
  return (event) => {
    const before = held;
    held = null;
    if (before !== null) {
      const joined = event === null ? null : withRole(chunkIn(event), before);
      return joined === null ? [before, ...(event === null ? [] : [event])] : [toEvent(joined)];
    }
    if (event !== null && saysOnlyRole(chunkIn(event))) {
      held = event;
      return [];
    }
    return event === null ? [] : [event];
  };
}

function saysOnlyRole(chunk: JsonObject | null): boolean {
  const delta = deltaOf(chunk);
  return delta !== null && delta.role !== undefined && !delta.content && delta.tool_calls === undefined;
}

function withRole(chunk: JsonObject | null, roleEvent: string): JsonObject | null {
  const [delta, role] = [deltaOf(chunk), deltaOf(chunkIn(roleEvent))];
  const [choice] = (chunk?.choices as JsonObject[] | undefined) ?? [];
  if (delta === null || role === null) return null;
  return { ...chunk, choices: [{ ...choice, delta: { ...role, ...delta } }] };
}

function deltaOf(chunk: JsonObject | null): JsonObject | null {
  const [choice] = Array.isArray(chunk?.choices) ? (chunk.choices as unknown[]) : [];
  return isObject(choice) && isObject(choice.delta) ? choice.delta : null;
}

function usageApart(chunk: JsonObject): JsonObject[] {
  const { usage, ...rest } = chunk;
  const choices = Array.isArray(chunk.choices) ? chunk.choices.length : 0;
  return isObject(usage) && choices > 0 ? [rest, { ...rest, choices: [], usage }] : [chunk];
}
