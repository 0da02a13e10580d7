import { dataEvent } from '../../../../http/send-events.ts';
import type { StreamPiece, ToolCall } from '../../../../upstreams/outcome.ts';
import type { AnswerHead, EventWriter } from '../face.ts';
import { callPart, endShape, responseShape } from './answer.ts';

/**
 * Writes the responses of one stream. Calls are whole in this dialect: one that comes in pieces waits for the last
 * response, which always has a part, because clients take one without for a broken one.
 */
export function createResponseWriter(head: AnswerHead): EventWriter {
  const calls = new Map<number, { call: Omit<ToolCall, 'arguments'>; texts: string[] }>();
  const event = (...parts: object[]): string => dataEvent(JSON.stringify(responseShape(head, parts)));
  return {
    open: () => '',
    piece: (piece: StreamPiece) => {
      switch (piece.kind) {
        case 'text':
          return event(piece.native ?? { text: piece.text });
        case 'native':
          return event(piece.native);
        case 'tool_start':
          if (piece.native !== undefined) return event(piece.native);
          calls.set(piece.index, { call: piece, texts: [] });
          return '';
        case 'tool_arguments':
          // The arguments of a native call stood in its part.
          calls.get(piece.index)?.texts.push(piece.text);
          return '';
      }
    },
    last: (end) => {
      const parts = [...calls.values()].map(({ call, texts }) =>
        callPart({ ...call, arguments: texts.join('') }),
      );
      return dataEvent(
        JSON.stringify(responseShape(head, parts.length > 0 ? parts : [{ text: '' }], endShape(end))),
      );
    },
  };
}
