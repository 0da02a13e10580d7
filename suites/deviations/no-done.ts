import { objectIn, objectsIn } from '../rewrite/json.ts';
import type { Deviation } from './deviation.ts';

/** A stream of another form of events ends with its connection, once it has given its reason. */
export const noDone: Deviation = {
  id: 'no-done',
  title: 'streams end without [DONE]',
  requirement: 'SSE-008',
  fits: ({ aspect, actual }) => aspect === 'done-last-once' && actual.startsWith('0 [DONE]'),
  checks: ['sse.shape.every-model'],
  undo: (given) => (given === undefined ? { events: () => withDone() } : null),
};

/** Only what gave its reason is whole: a stream that fails before stays as it came. */
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
