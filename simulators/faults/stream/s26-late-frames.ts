import { chatDialect, type DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { firstChunk, textEvent } from '../native/content.ts';
import { editAnswer } from '../native/edit-answer.ts';
import type { NativeEvent, OpenFrame } from '../native/open-answer.ts';
import { insertAt, placeOf } from '../native/places.ts';
import { vary } from '../native/vary.ts';

/** The text that comes too late. */
export const lateText = ' …and one thing more that comes too late.';

/**
 * Content follows an end. Forms: more text after the finish reason or (`after-done`) after the end mark; a `late-call` of a
 * tool; a `second-end`; the finish reason before the text (`early-end`), or on every piece of it (`end-on-every`).
 */
export const lateFrames: Fault = editAnswer('S26', (frames, { dialect, call, form }) => {
  if (form === 'early-end') return vary(frames, { dialect, call }, { end: { early: 'first' } });
  if (form === 'end-on-every') return vary(frames, { dialect, call }, { end: { early: 'every' } });
  const finish = placeOf(frames, 'finish');
  const mark = placeOf(frames, 'done');
  const place = (form === 'after-done' && mark !== -1 ? mark : finish) + 1;
  const dueMs = frames[place - 1]?.dueMs ?? 0;
  const late = (events: readonly NativeEvent[]): OpenFrame[] =>
    insertAt(frames, place, { label: 'late-0', dueMs, events });
  if (form === 'second-end') return late(frames[finish]?.events.slice(-1) ?? []);
  return late(form === 'late-call' ? callEvents(frames, dialect) : [textEvent(frames, dialect, lateText)]);
});

/** A complete tool call. */
function callEvents(frames: readonly OpenFrame[], dialect: DialectName): NativeEvent[] {
  const [id, name, given] = ['call_late', 'tide', '{"days":3}'];
  if (chatDialect(dialect) === 'chat-completions') {
    const called = { index: 0, id, type: 'function', function: { name, arguments: given } };
    const choice = { index: 0, delta: { tool_calls: [called] }, logprobs: null, finish_reason: null };
    return [{ name: null, data: { ...firstChunk(frames), choices: [choice] } }];
  }
  const event = (type: string, more: object): NativeEvent => ({
    name: type,
    data: { type, index: 9, ...more },
  });
  return [
    event('content_block_start', { content_block: { type: 'tool_use', id, name, input: {} } }),
    event('content_block_delta', { delta: { type: 'input_json_delta', partial_json: given } }),
    event('content_block_stop', {}),
  ];
}
