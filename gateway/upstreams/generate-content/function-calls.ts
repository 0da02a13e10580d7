import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { argumentText } from '../argument-text.ts';
import { callId } from '../call-id.ts';
import type { StreamPiece } from '../outcome.ts';

/** The function calls of one answer, which arrive whole; our index counts them across all its responses. */
export class FunctionCalls {
  readonly #ids = new Set<string>();
  /** The native calls that have an id, by it, and the response in which each came. */
  readonly #named = new Map<string, { readonly text: string; readonly response: number }>();
  #responses = 0;
  readonly #newCallId: () => string;
  readonly #givenNames: ReadonlyMap<string, string>;

  /** `givenNames` maps native names to the caller's where they differ. */
  constructor(newCallId: () => string, givenNames: ReadonlyMap<string, string> = new Map()) {
    this.#newCallId = newCallId;
    this.#givenNames = givenNames;
  }

  /** Another response of the answer begins. */
  nextResponse(): void {
    this.#responses += 1;
  }

  /** Whether a part brings a call of an earlier response once more: the same id, name and arguments. */
  isRepeat({ functionCall: call }: JsonObject): boolean {
    if (!isObject(call) || typeof call.id !== 'string' || call.id === '') return false;
    const text = JSON.stringify([call.name, call.args]);
    const before = this.#named.get(call.id);
    if (before === undefined) this.#named.set(call.id, { text, response: this.#responses });
    return before?.text === text && before.response < this.#responses;
  }

  /** Pieces for the call in a part; none for other parts; null when the call is invalid. */
  take({ functionCall: call, thoughtSignature: signature }: JsonObject): StreamPiece[] | null {
    if (call === undefined || call === null) return [];
    if (!isObject(call)) return null;
    const { name, args } = call;
    const given = args ?? {};
    const isEmpty = Array.isArray(given) && given.length === 0;
    const isText = typeof given === 'string';
    if (typeof name !== 'string' || name === '' || !(isText || isEmpty || isObject(given))) return null;
    const index = this.#ids.size;
    const id = callId(call.id, this.#ids, this.#newCallId);
    const signed = typeof signature === 'string' && signature !== '' ? { thoughtSignature: signature } : {};
    return [
      { kind: 'tool_start', index, id, name: this.#givenNames.get(name) ?? name, ...signed },
      { kind: 'tool_arguments', index, text: argumentText(isText ? given : JSON.stringify(given)) },
    ];
  }
}
