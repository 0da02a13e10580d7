import { objectIn, objectsIn } from '../rewrite/json.ts';
import type { Deviation } from './deviation.ts';

/** Streams end by closing the connection after a finish reason, as with other event formats. */
export const noDone: Deviation = {
  id: 'no-done',
  title: 'streams end without [DONE]',
  requirement: 'SSE-008',
  fits: ({ aspect, actual }) => aspect === 'done-last-once' && actual.startsWith('0 [DONE]'),
  checks: ['sse.shape.every-model'],
  undo: (given) => (given === undefined ? { events: () => withDone() } : null),
};

/** Only a stream with a finish reason is complete. A stream that fails before stays unchanged. */
function withDone(): (event: string | null) => string[] {
  let [isWhole, isDone] = [false, false];
  return (event) => {
    if (event === null) return isWhole && !isDone ? ['data: [DONE]'] : [];
    const { error, object, choices } = objectIn(Buffer.from(event.replace(/^data: ?/, ''))) ?? {};
    const isEnd = objectsIn(choices).some(({ finish_reason: reason }) => typeof reason === 'string');
    isWhole ||= object === 'chat.completion.chunk' && isEnd;
    isDone ||= (error ?? null) !== null || /^data: ?\[DONE\]\s*$/.test(event);
    return [event];
  };
}
