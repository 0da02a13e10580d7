import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { callId } from '../call-id.ts';
import type { StreamPiece } from '../outcome.ts';

/** The function calls of one answer, which arrive whole; our index counts them across all its responses. */
export class FunctionCalls {
  readonly #ids = new Set<string>();
  readonly #newCallId: () => string;
  readonly #givenNames: ReadonlyMap<string, string>;

  /** `givenNames` maps native names to the caller's where they differ. */
  constructor(newCallId: () => string, givenNames: ReadonlyMap<string, string> = new Map()) {
    this.#newCallId = newCallId;
    this.#givenNames = givenNames;
  }

  /** Pieces for the call in a part; none for other parts; null when the call is invalid. */
  take({ functionCall: call, thoughtSignature: signature }: JsonObject): StreamPiece[] | null {
    if (call === undefined || call === null) return [];
    if (!isObject(call)) return null;
    const { name, args } = call;
    const given = args ?? {};
    // Malformed arguments of the model are passed on unchanged (fault M14).
    const isText = typeof given === 'string';
    if (typeof name !== 'string' || name === '' || !(isText || isObject(given))) return null;
    const index = this.#ids.size;
    const id = callId(call.id, this.#ids, this.#newCallId);
    const signed = typeof signature === 'string' && signature !== '' ? { thoughtSignature: signature } : {};
    return [
      { kind: 'tool_start', index, id, name: this.#givenNames.get(name) ?? name, ...signed },
      { kind: 'tool_arguments', index, text: isText ? given : JSON.stringify(given) },
    ];
  }
}
