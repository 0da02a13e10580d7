import { isObject, type JsonObject, parseExact } from '../../http/parse-json.ts';
import type { StreamPiece } from '../outcome.ts';

/**
 * Collects what an answer says beside its parts, over all of its responses: for callers who speak this dialect too. All
 * of it is taken from the text of a response anew, with the digits of its numbers kept.
 */
export class NativeAnswer {
  #response: JsonObject = {};
  #candidates: readonly unknown[] = [];
  #candidate: JsonObject = {};
  #parts: readonly unknown[] = [];

  /** Takes the text of a response. Of one that is nested too deep nothing is kept: what our words can say has to do. */
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
    // A response may leave out what one before it has said.
    const counts = isObject(usageMetadata) && usageMetadata.promptTokenCount !== undefined;
    this.#response = { ...this.#response, ...response, ...(counts && { usageMetadata }) };
  }

  /** Turns to a candidate of the last response. */
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

  /** What all responses have said, later ones over earlier ones. */
  end(): JsonObject {
    return { ...this.#response, candidates: [this.#candidate] };
  }
}

/** The pieces of a part with the part beside them; the part itself where our words have none for it. */
export function withNative(
  pieces: readonly StreamPiece[],
  native: JsonObject | null,
): readonly StreamPiece[] {
  const [first] = pieces;
  if (native === null) return pieces;
  if (first === undefined) return isEmptyText(native) ? [] : [{ kind: 'native', native }];
  // Whoever holds both a text and a call is told in our words: the part would say everything twice.
  const isMixed = first.kind === 'text' && pieces.length > 1;
  return pieces.map((piece) => (isMixed || piece.kind === 'tool_arguments' ? piece : { ...piece, native }));
}

/** The dialect's way to say nothing. */
function isEmptyText(part: JsonObject): boolean {
  return Object.entries(part).every(([key, value]) => key === 'text' && value === '');
}
