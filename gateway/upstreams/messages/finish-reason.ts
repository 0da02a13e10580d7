import type { FinishReason } from '../outcome.ts';

/** Endings that are none of the model's own choice. */
const cutShort: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

/** How an answer ends that calls tools. */
export const callEnding = 'tool_use';

/**
 * Our reason for a native one. A turn ends in `tool_calls` exactly when it has some, whatever the upstream says about
 * a regular end; unknown reasons mean a regular end.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason {
  const cut = Object.hasOwn(cutShort, native) ? cutShort[native] : undefined;
  return cut ?? (hasToolCalls ? 'tool_calls' : 'stop');
}
