import type { JsonObject } from '../../http/parse-json.ts';
import { dataEvent } from '../../http/send-events.ts';
import type { StreamPiece, ToolCall } from '../../upstreams/outcome.ts';
import type { AnswerHead, EventWriter } from '../protocol-adapter.ts';
import { callPart, endShape, responseShape } from './answer.ts';
import { legalPart } from './legal-part.ts';

/**
 * Writes the responses of one stream. This dialect has only whole calls, and the turn with their results must
 * follow them at once. So native calls wait for the upstream's next part or for the last response, and calls that
 * arrive in pieces wait for the last response. That one always has a part, because clients treat a response
 * without as broken.
 */
export function createResponseWriter(head: AnswerHead): EventWriter {
  const calls = new Map<number, { call: Omit<ToolCall, 'arguments'>; texts: string[] }>();
  let nativeCalls: JsonObject[] = [];
  const event = (...parts: object[]): string => dataEvent(JSON.stringify(responseShape(head, parts)));
  /** A part, after the calls that precede it. */
  const next = (part: JsonObject | null): string => {
    if (part === null) return '';
    const before = nativeCalls.length > 0 ? event(...nativeCalls) : '';
    nativeCalls = [];
    return before + event(part);
  };
  return {
    open: () => '',
    piece: (piece: StreamPiece) => {
      switch (piece.kind) {
        case 'text':
          return next(piece.native ?? { text: piece.text });
        case 'native':
          return next(legalPart(piece.native));
        case 'tool_start': {
          const part = piece.native === undefined ? null : legalPart(piece.native, piece.id);
          if (part !== null) nativeCalls.push(part);
          else calls.set(piece.index, { call: piece, texts: [] });
          return '';
        }
        case 'tool_arguments':
          // The arguments of a native call are in its part.
          calls.get(piece.index)?.texts.push(piece.text);
          return '';
      }
    },
    last: (end) => {
      const whole = [...calls.values()].map(({ call, texts }) =>
        callPart({ ...call, arguments: texts.join('') }),
      );
      const parts = [...nativeCalls, ...whole];
      return dataEvent(
        JSON.stringify(responseShape(head, parts.length > 0 ? parts : [{ text: '' }], endShape(end))),
      );
    },
  };
}
