import type { Fault } from '../../fault-contract/fault.ts';
import { chatCallDeltas } from '../native/chat-calls.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { splitInputs } from '../native/input-fragments.ts';

/**
 * Tool calls in odd fragments. Forms: `in-escape` splits the arguments inside their escapes; `late-name` tells the name
 * after some arguments; `no-index` leaves out which call a fragment belongs to; `same-index` gives two calls the same one;
 * `empty-members` repeats id and name, empty, in every fragment. Where a dialect gives a call a block of its own, only
 * the first can be.
 */
export const toolFragments: Fault = editAnswer('S24', (frames, { dialect, form }) =>
  dialect === 'chat-completions' ? chatCallDeltas(frames, form) : splitInputs(frames),
);
