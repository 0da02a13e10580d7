import type { FinishReason } from '../outcome.ts';

/** Stop reasons that the model did not choose. */
const cutShort: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

/** The stop reason of an answer that calls tools. */
export const callEnding = 'tool_use';

const regular = ['end_turn', 'stop_sequence', callEnding];

/** The reason itself, where it is none that is known here. */
export function unknownEnding(native: string): { unknownEnding?: string } {
  return Object.hasOwn(cutShort, native) || regular.includes(native) ? {} : { unknownEnding: native };
}

/**
 * Maps a native stop reason to ours. A turn ends in `tool_calls` exactly when it has some, whatever regular end
 * the upstream states. Unknown reasons count as a regular end.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason {
  const cut = Object.hasOwn(cutShort, native) ? cutShort[native] : undefined;
  return cut ?? (hasToolCalls ? 'tool_calls' : 'stop');
}
