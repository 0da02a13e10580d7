import type { Fault } from '../../fault-contract/fault.ts';
import { chatCallDeltas } from '../native/chat-calls.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { splitInputs } from '../native/input-fragments.ts';

/**
 * Tool calls in odd fragments. Forms:
 * - `in-escape` splits the arguments inside their escapes;
 * - `late-name` sends the name after some arguments;
 * - `no-index` omits the index of the call;
 * - `same-index` gives two calls the same index;
 * - `empty-members` repeats an empty id and name in every fragment.
 *
 * A dialect with one block for each call has only the first form.
 */
export const toolFragments: Fault = editAnswer('S24', (frames, { dialect, form }) =>
  dialect === 'chat-completions' ? chatCallDeltas(frames, form) : splitInputs(frames),
);
