import { isObject } from '../../http/parse-json.ts';
import type { StreamPiece } from '../outcome.ts';

interface OpenCall {
  readonly index: number;
  /** The upstream's index and id, by which its fragments find their call. */
  readonly nativeIndex: number | null;
  id: string | null;
  name: string | null;
  started: boolean;
  /** Arguments that arrived before the name. */
  waiting: string;
}

/**
 * Puts the fragments of streamed tool calls in order: each call gets our index, its id and name once and at its
 * start, then its arguments. Upstreams omit the index, reuse it, send the name late or no id at all.
 */
export class ToolFragments {
  readonly #calls: OpenCall[] = [];
  readonly #newCallId: () => string;

  constructor(newCallId: () => string) {
    this.#newCallId = newCallId;
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Pieces for one native `delta.tool_calls`; null when it cannot be understood. */
  take(fragments: unknown): StreamPiece[] | null {
    if (!Array.isArray(fragments)) return null;
    const pieces: StreamPiece[] = [];
    for (const fragment of fragments) {
      if (!isObject(fragment)) return null;
      const native = isObject(fragment.function) ? fragment.function : {};
      const call = this.#callOf(fragment.index, fragment.id);
      if (typeof fragment.id === 'string' && fragment.id !== '') call.id ??= fragment.id;
      if (typeof native.name === 'string' && native.name !== '') call.name ??= native.name;
      if (typeof native.arguments === 'string') call.waiting += native.arguments;
      pieces.push(...this.#piecesOf(call));
    }
    return pieces;
  }

  /** Whether a call never got its name. */
  hasUnnamed(): boolean {
    return this.#calls.some((call) => call.name === null);
  }

  #callOf(index: unknown, id: unknown): OpenCall {
    const nativeIndex = typeof index === 'number' ? index : null;
    const hasId = typeof id === 'string' && id !== '';
    const last =
      nativeIndex === null
        ? this.#calls.at(-1)
        : this.#calls.findLast((call) => call.nativeIndex === nativeIndex);
    const isNew = last === undefined || (hasId && last.id !== null && last.id !== id);
    if (!isNew) return last;
    const call = {
      index: this.#calls.length,
      nativeIndex,
      id: null,
      name: null,
      started: false,
      waiting: '',
    };
    this.#calls.push(call);
    return call;
  }

  #piecesOf(call: OpenCall): StreamPiece[] {
    if (call.name === null) return [];
    const pieces: StreamPiece[] = [];
    if (!call.started) {
      call.started = true;
      call.id ??= this.#newCallId();
      pieces.push({ kind: 'tool_start', index: call.index, id: call.id, name: call.name });
    }
    if (call.waiting !== '') pieces.push({ kind: 'tool_arguments', index: call.index, text: call.waiting });
    call.waiting = '';
    return pieces;
  }
}
