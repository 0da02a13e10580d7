import type { AnswerHead, EventWriter } from '../protocol-adapter.ts';
import { BlockWriter } from './block-writer.ts';
import { messageEvent } from './message-event.ts';
import { stopOf } from './stop-reason.ts';
import { messageUsage } from './usage.ts';

/** Writes the events of one stream: message start, ping, the blocks in turn, reason and usage, message stop. */
export function createMessageWriter({ id, model }: AnswerHead): EventWriter {
  const blocks = new BlockWriter();
  return {
    open: (usage) => {
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: messageUsage(usage),
      };
      return messageEvent('message_start', { message }) + messageEvent('ping');
    },
    piece: (piece) => blocks.take(piece),
    last: (end) =>
      blocks.finish() +
      messageEvent('message_delta', {
        delta: stopOf(end),
        usage: messageUsage(end.usage, end.native?.usage),
      }) +
      messageEvent('message_stop'),
  };
}
