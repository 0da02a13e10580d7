import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';

/** The first chunk has only the filter's findings for the prompt, without choices, id and model. */
export const emptyChoicesFirst: Fault = editAnswer('S11', (frames) => {
  const chunk = {
    choices: [],
    created: 0,
    id: '',
    model: '',
    object: '',
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: harmless }],
  };
  const dueMs = frames[0]?.dueMs ?? 0;
  return [{ label: 'filter', dueMs, events: [{ name: null, data: chunk }] }, ...frames];
});

/** The filter found nothing in any category. */
export const harmless: Readonly<Record<string, object>> = {
  hate: { filtered: false, severity: 'safe' },
  jailbreak: { detected: false, filtered: false },
  self_harm: { filtered: false, severity: 'safe' },
  sexual: { filtered: false, severity: 'safe' },
  violence: { filtered: false, severity: 'safe' },
};
