import { must } from '../rules/violation.ts';
import { parseJson } from '../values/json.ts';
import type { Exchange } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import type { ToolCall, Usage } from './completion.ts';

/** What one chunk adds to a choice ("Streaming"). */
export interface Delta {
  readonly role?: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly CallFragment[] | null;
}

interface CallFragment {
  readonly index: number;
  readonly id?: string | null;
  readonly type?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null };
}

export interface ChunkChoice {
  readonly index: number;
  readonly delta: Delta;
  readonly finish_reason?: string | null;
}

export interface Chunk {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ChunkChoice[];
  readonly usage?: Usage | null;
}

/** Judges the data of an event that must be a chunk, and reads it. */
export function judgeChunkShape(data: string, exchange: Exchange): Chunk {
  const value = parseJson(data);
  must(value !== undefined, {
    requirement: 'SSE-002',
    aspect: 'payload-json',
    expected: 'a JSON chunk in every data line',
    actual: data.slice(0, 160),
    exchange,
  });
  must(!isErrorEvent(value), {
    requirement: 'SSE-003',
    aspect: 'no-error-event',
    expected: 'no error object in a stream without a failure',
    actual: data.slice(0, 200),
    exchange,
  });
  const fault = shapeFault('chat-completion-chunk', value);
  must(fault === null, {
    requirement: requirementOfMember(fault?.path ?? ''),
    aspect: 'chunk-shape',
    expected: 'the members of a chunk with their types',
    actual: `${fault?.path || 'the chunk'} ${fault?.reason}: ${data.slice(0, 160)}`,
    exchange,
  });
  return value as Chunk;
}

/** Whether an event reports that the stream has failed (reading B-35). */
export function isErrorEvent(value: unknown): value is { error: unknown } {
  return value !== null && typeof value === 'object' && 'error' in value && value.error !== null;
}

/** Tool calls assembled from their fragments: id and name once, arguments joined (TOOL-018). */
export function assembleCalls(deltas: readonly Delta[], exchange: Exchange): ToolCall[] {
  const calls = new Map<number, { ids: string[]; names: string[]; arguments: string }>();
  for (const fragment of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
    const call = calls.get(fragment.index) ?? { ids: [], names: [], arguments: '' };
    if (fragment.id) call.ids.push(fragment.id);
    if (fragment.function?.name) call.names.push(fragment.function.name);
    call.arguments += fragment.function?.arguments ?? '';
    calls.set(fragment.index, call);
  }
  const inOrder = [...calls.entries()].sort(([a], [b]) => a - b);
  return inOrder.map(([index, call], place) => {
    const [id, name] = [call.ids[0], call.names[0]];
    const whole = call.ids.length === 1 && call.names.length === 1 && index === place;
    must(id !== undefined && name !== undefined && whole, {
      requirement: 'TOOL-018',
      aspect: 'fragments-reassemble',
      expected: 'calls numbered from 0, each with its id and its name once',
      actual: `call ${index}: ${JSON.stringify(call).slice(0, 200)}`,
      exchange,
    });
    return { id, type: 'function', function: { name, arguments: call.arguments } };
  });
}

/** The rule of "Streaming" about the member at this path. */
function requirementOfMember(path: string): string {
  const rows: [RegExp, string][] = [
    [/^\/object/, 'SSE-003'],
    [/^\/id/, 'SSE-013'],
    [/^\/created/, 'RESP-003'],
    [/^\/model/, 'RESP-004'],
    [/^\/choices\/\d+\/finish_reason/, 'SSE-012'],
    [/^\/choices\/\d+\/delta\/content/, 'SSE-006'],
    [/^\/choices\/\d+\/delta\/role/, 'SSE-005'],
    [/^\/choices\/\d+\/delta\/tool_calls/, 'TOOL-018'],
    [/^\/choices/, 'SSE-004'],
    [/^\/usage/, 'SSE-009'],
  ];
  return rows.find(([pattern]) => pattern.test(path))?.[1] ?? 'SSE-003';
}
