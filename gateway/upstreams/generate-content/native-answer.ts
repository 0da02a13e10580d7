import { isObject, type JsonObject, parseExact } from '../../http/parse-json.ts';
import type { StreamPiece } from '../outcome.ts';

/**
 * Collects all of an answer except its parts, over all its responses, for callers of the same dialect. It parses
 * the text of each response again to keep all digits of the numbers.
 */
export class NativeAnswer {
  #response: JsonObject = {};
  #candidates: readonly unknown[] = [];
  #candidate: JsonObject = {};
  #parts: readonly unknown[] = [];

  /** Takes the text of a response. If it is nested too deep, nothing native is kept and the common form must do. */
  take(text: string): void {
    const exact = parseExact(text.replace(/^\uFEFF/, ''));
    if (!isObject(exact)) {
      const { usageMetadata: _older, ...rest } = this.#response;
      this.#response = rest;
      this.#candidates = [];
      return;
    }
    const { candidates, usageMetadata, ...response } = exact;
    this.#candidates = Array.isArray(candidates) ? candidates : [];
    // A response may omit what an earlier one stated.
    const counts = isObject(usageMetadata) && usageMetadata.promptTokenCount !== undefined;
    this.#response = { ...this.#response, ...response, ...(counts && { usageMetadata }) };
  }

  /** Selects a candidate of the last response. */
  turnTo(index: number): void {
    const given = this.#candidates[index];
    const { content, ...candidate } = isObject(given) ? given : {};
    this.#candidate = { ...this.#candidate, ...candidate };
    this.#parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  }

  /** A part of that candidate; null when it was not kept. */
  part(index: number): JsonObject | null {
    const part = this.#parts[index];
    return isObject(part) ? part : null;
  }

  /** What all responses stated; later values replace earlier ones. */
  end(): JsonObject {
    return { ...this.#response, candidates: [this.#candidate] };
  }
}

/** The pieces of a part with the part itself attached; a native piece where the common form has none. */
export function withNative(
  pieces: readonly StreamPiece[],
  native: JsonObject | null,
): readonly StreamPiece[] {
  const [first] = pieces;
  if (native === null) return pieces;
  if (first === undefined) return isEmptyText(native) ? [] : [{ kind: 'native', native }];
  // A part with both a text and a call goes out in the common form only; attached, it would say everything twice.
  const isMixed = first.kind === 'text' && pieces.length > 1;
  return pieces.map((piece) => (isMixed || piece.kind === 'tool_arguments' ? piece : { ...piece, native }));
}

/** How this dialect sends an empty text. */
function isEmptyText(part: JsonObject): boolean {
  return Object.entries(part).every(([key, value]) => key === 'text' && (value ?? '') === '');
}
