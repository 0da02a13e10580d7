import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer, mapEvents } from '../native/edit-answer.ts';
import { isDelta } from '../native/places.ts';

/**
 * The model attempted only a call that cannot be parsed (`malformed`), or a call of a tool that was not offered
 * (`unexpected`).
 */
export const malformedCall: Fault = editAnswer('M4', (frames, { form }) => {
  const candidate =
    form === 'unexpected'
      ? { content: {}, finishReason: 'UNEXPECTED_TOOL_CALL', index: 0 }
      : {
          content: { role: 'model' },
          finishReason: 'MALFORMED_FUNCTION_CALL',
          finishMessage: 'Malformed function call: print(default_api.look_up(place="the harbour"',
          index: 0,
        };
  const silent = frames.filter((frame) => !isDelta(frame));
  return mapEvents(silent, (data) => ({ ...data, candidates: [candidate] }));
});
