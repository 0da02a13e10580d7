import { isObject } from '../../http/parse-json.ts';
import { callId } from '../call-id.ts';
import type { StreamPiece } from '../outcome.ts';

interface OpenCall {
  readonly index: number;
  /** The upstream's index and id, which match a fragment to its call. */
  readonly nativeIndex: number | null;
  nativeId: string | null;
  name: string | null;
  hasStarted: boolean;
  /** Arguments that arrived before the name. */
  waiting: string;
  /** All arguments so far, for calls that only the name distinguishes from the next. */
  readonly given: string[];
}

/** What a fragment says about its call. */
interface Marks {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly text: string;
}

/**
 * Orders the fragments of streamed tool calls. Each call gets our index, its id and its name once, at its start,
 * then its arguments. Upstreams omit or reuse the index, send the name late or send no id (fault S24).
 */
export class ToolFragments {
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();
  readonly #newCallId: () => string;

  constructor(newCallId: () => string) {
    this.#newCallId = newCallId;
  }

  /** Pieces for one native `delta.tool_calls`; null when it is invalid. */
  take(fragments: unknown): StreamPiece[] | null {
    if (!Array.isArray(fragments)) return null;
    const pieces: StreamPiece[] = [];
    for (const fragment of fragments) {
      if (!isObject(fragment)) return null;
      const native = isObject(fragment.function) ? fragment.function : {};
      const { arguments: given = null } = native;
      if (given !== null && typeof given !== 'string' && !isObject(given)) return null;
      const marks = {
        index: typeof fragment.index === 'number' ? fragment.index : null,
        id: textIn(fragment.id),
        name: textIn(native.name),
        // Some servers send arguments as an object.
        text: isObject(given) ? JSON.stringify(given) : (given ?? ''),
      };
      const call = this.#callOf(marks);
      call.nativeId ??= marks.id;
      call.name ??= marks.name;
      call.waiting += marks.text;
      call.given.push(marks.text);
      pieces.push(...this.#piecesOf(call));
    }
    return pieces;
  }

  /** Whether a call never got its name. */
  hasUnnamed(): boolean {
    return this.#calls.some((call) => call.name === null);
  }

  #callOf(marks: Marks): OpenCall {
    const { index, id } = marks;
    const sameId = id === null ? undefined : this.#calls.findLast((call) => call.nativeId === id);
    // One id may belong to two calls, but one call never has two indexes.
    if (sameId !== undefined && (index === null || sameId.nativeIndex === index)) return sameId;
    const last =
      index === null ? this.#calls.at(-1) : this.#calls.findLast((call) => call.nativeIndex === index);
    if (last !== undefined && !isAnother(last, marks)) return last;
    const call = {
      index: this.#calls.length,
      nativeIndex: index,
      nativeId: null,
      name: null,
      hasStarted: false,
      waiting: '',
      given: [],
    };
    this.#calls.push(call);
    return call;
  }

  #piecesOf(call: OpenCall): StreamPiece[] {
    const { index, name, nativeId, waiting: text } = call;
    if (name === null) return [];
    const pieces: StreamPiece[] = [];
    if (!call.hasStarted) {
      call.hasStarted = true;
      pieces.push({ kind: 'tool_start', index, id: callId(nativeId, this.#ids, this.#newCallId), name });
    }
    if (text !== '') pieces.push({ kind: 'tool_arguments', index, text });
    call.waiting = '';
    return pieces;
  }
}

/** Whether a fragment that matched a call starts another one. */
function isAnother({ nativeId, name, given }: OpenCall, marks: Marks): boolean {
  if (marks.id !== null && nativeId !== null) return marks.id !== nativeId;
  if (marks.name === null || name === null || marks.id !== null) return false;
  // Some upstreams repeat the name with every fragment: then only complete arguments separate two calls.
  return marks.name !== name || (marks.text.startsWith('{') && isWhole(given.join('')));
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
