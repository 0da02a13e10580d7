import { isObject } from '../../http/parse-json.ts';
import { ArgumentText } from '../argument-text.ts';
import { callId } from '../call-id.ts';
import type { StreamPiece } from '../outcome.ts';

interface OpenCall {
  readonly index: number;
  /** The upstream's index and id, which match a fragment to its call. */
  nativeIndex: number | null;
  nativeId: string | null;
  name: string | null;
  /** The index belonged to another call first: the rest of this one may come under the next index. */
  readonly isMisnumbered: boolean;
  hasStarted: boolean;
  /** Arguments that arrived before the start. */
  waiting: string;
  /** All arguments so far: when they are complete, the next ones belong to another call. */
  readonly text: ArgumentText;
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
 * then its arguments. Upstreams omit or reuse the index, send the name late or in parts, or send no id (fault S24).
 * So a call starts with its first argument, with the next call, or at the end.
 */
export class ToolFragments {
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();
  readonly #newCallId: () => string;

  constructor(newCallId: () => string) {
    this.#newCallId = newCallId;
  }

  /** Pieces for one native `delta.tool_calls`; null when it is invalid. Some servers send one call without its list. */
  take(native: unknown): StreamPiece[] | null {
    const fragments: readonly unknown[] = Array.isArray(native) ? native : [native];
    const pieces: StreamPiece[] = [];
    for (const fragment of fragments) {
      if (isBlank(fragment)) continue;
      if (!isObject(fragment)) return null;
      // Some servers send the name and the arguments without their wrapper.
      const called = isObject(fragment.function) ? fragment.function : fragment;
      const { arguments: given = null } = called;
      if (given !== null && typeof given !== 'string' && !isObject(given) && !isEmptyList(given)) return null;
      const marks = {
        index: typeof fragment.index === 'number' ? fragment.index : null,
        // Some servers write an absent id as text.
        id: fragment.id === 'null' ? null : textIn(fragment.id),
        name: textIn(called.name),
        // Some servers send arguments as an object, or none as an empty list.
        text: typeof given === 'string' ? given : given === null ? '' : JSON.stringify(given),
      };
      const call = this.#callOf(marks, pieces);
      call.nativeId ??= marks.id;
      if (!call.hasStarted) call.name = joined(call.name, marks.name);
      call.waiting += call.text.take(marks.text);
      if (call.waiting !== '') this.#start(call, pieces);
    }
    return pieces;
  }

  /** Pieces for the end: starts that were held back, and arguments that clients can parse for calls without any. */
  close(): StreamPiece[] {
    const pieces: StreamPiece[] = [];
    for (const call of this.#calls) {
      call.waiting += call.text.close();
      this.#start(call, pieces);
    }
    return pieces;
  }

  /** Whether a call has begun that no piece shows yet. */
  get isHolding(): boolean {
    return this.#calls.at(-1)?.hasStarted === false;
  }

  /** Whether arguments of a call may still come: it has none so far, or they wait for more. */
  get isOpen(): boolean {
    return this.#calls.some(({ text }) => text.isOpen);
  }

  /** Whether a call never got its name. */
  hasUnnamed(): boolean {
    return this.#calls.some((call) => call.name === null);
  }

  #callOf(marks: Marks, pieces: StreamPiece[]): OpenCall {
    const { index, id, name } = marks;
    const sameId = id === null ? undefined : this.#calls.findLast((call) => call.nativeId === id);
    // One id may belong to two calls, but one call never has two indexes.
    const isSame = sameId !== undefined && (index === null || sameId.nativeIndex === index);
    const newest = this.#calls.at(-1);
    const sameIndex =
      index === null ? newest : this.#calls.findLast(({ nativeIndex }) => nativeIndex === index);
    const match = isSame ? sameId : sameIndex;
    if (match !== undefined && !isAnother(match, marks)) return match;
    if (sameIndex === undefined && newest?.isMisnumbered === true && id === null && name === null) {
      newest.nativeIndex = index;
      return newest;
    }
    if (newest !== undefined) this.#start(newest, pieces);
    const call = {
      index: this.#calls.length,
      nativeIndex: index,
      nativeId: null,
      name: null,
      isMisnumbered: index !== null && sameIndex !== undefined,
      hasStarted: false,
      waiting: '',
      text: new ArgumentText(),
    };
    this.#calls.push(call);
    return call;
  }

  #start(call: OpenCall, pieces: StreamPiece[]): void {
    const { index, name, nativeId, waiting: text } = call;
    if (name === null) return;
    if (!call.hasStarted) {
      call.hasStarted = true;
      pieces.push({ kind: 'tool_start', index, id: callId(nativeId, this.#ids, this.#newCallId), name });
    }
    if (text !== '') pieces.push({ kind: 'tool_arguments', index, text });
    call.waiting = '';
  }
}

/** Whether a fragment that matched a call starts another one. */
function isAnother(call: OpenCall, marks: Marks): boolean {
  const { nativeId, name } = call;
  const hasId = marks.id !== null && nativeId !== null;
  if (hasId && marks.id !== nativeId) return !isRest(call, marks);
  if (marks.name === null || name === null || (marks.id !== null && !hasId)) return false;
  if (!hasId && marks.name !== name) return true;
  // Some upstreams repeat the name with every fragment: then only complete arguments separate two calls.
  return marks.text.startsWith('{') && call.text.isWhole && !(hasId && call.text.isRepeatedBy(marks.text));
}

/** Whether a fragment continues its call under a new id: some servers make one for every fragment. */
function isRest({ name, text }: OpenCall, marks: Marks): boolean {
  return (marks.name === null || (marks.name === name && text.given !== '')) && !text.isWhole;
}

/** A name that came in parts, again with every fragment, or as far as it was known. */
function joined(known: string | null, more: string | null): string | null {
  if (known === null || more === null) return more ?? known;
  return more.startsWith(known) ? more : known + more;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A value that stands for no call. */
function isBlank(fragment: unknown): boolean {
  return isObject(fragment) ? Object.keys(fragment).length === 0 : (fragment ?? '') === '';
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
