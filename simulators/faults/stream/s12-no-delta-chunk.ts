import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { insertAt, placeAfter, placeOf } from '../native/places.ts';
import { harmless } from './s11-empty-choices-first.ts';

/** A filter runs in parallel with the answer. Its findings so far arrive in choices without a delta. */
export const noDeltaChunk: Fault = editAnswer('S12', (frames, { after }) => {
  const middle = placeAfter(frames, after);
  const annotated = insertAt(frames, middle, annotation(frames, middle));
  const end = placeOf(annotated, 'finish');
  return insertAt(annotated, end, annotation(annotated, end));
});

function annotation(frames: readonly OpenFrame[], place: number): OpenFrame {
  const choice = {
    content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
    content_filter_results: harmless,
    finish_reason: null,
    index: 0,
  };
  const chunk = { choices: [choice], created: 0, id: '', model: '', object: '' };
  return { label: 'filter', dueMs: frames[place]?.dueMs ?? 0, events: [{ name: null, data: chunk }] };
}
