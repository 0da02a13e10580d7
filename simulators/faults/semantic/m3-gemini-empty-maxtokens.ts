import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer, mapEvents } from '../native/edit-answer.ts';
import type { JsonObject } from '../native/json-path.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { isDelta } from '../native/places.ts';

/** Thinking used up the limit: only thoughts and the prompt are counted, and no candidate tokens. */
const usageMetadata = { promptTokenCount: 1706, thoughtsTokenCount: 2999, totalTokenCount: 4705 };

/**
 * The token limit was reached before the model produced any text. Forms: the content has `no-parts`, there is
 * `no-content`, or there is one `empty-part`.
 */
export const emptyMaxTokens: Fault = editAnswer('M3', (frames, { form }) => {
  const silent = frames.filter((frame): frame is OpenFrame => !isDelta(frame));
  const candidate: JsonObject = { ...contentOf(form), finishReason: 'MAX_TOKENS', index: 0 };
  return mapEvents(silent, (data) => ({ ...data, candidates: [candidate], usageMetadata }));
});

function contentOf(form: string | null): JsonObject {
  if (form === 'no-content') return {};
  return { content: form === 'empty-part' ? { parts: [{ text: '' }], role: 'model' } : { role: 'model' } };
}
