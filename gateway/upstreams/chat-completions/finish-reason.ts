import { FINISH_REASONS, type FinishReason } from '../outcome.ts';

/** Endings that are failures of the upstream, not of the text. */
const FAILED_ENDINGS = ['insufficient_system_resource', 'error'];

/**
 * Our reason for a native one. A turn with tool calls ends in `tool_calls`, whatever the upstream says about a
 * regular end; unknown reasons mean a regular end; null stands for an ending that is a failure.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason | null {
  if (FAILED_ENDINGS.includes(native)) return null;
  if (native === 'function_call') return 'tool_calls';
  const known = FINISH_REASONS.find((reason) => reason === native) ?? 'stop';
  return known === 'stop' && hasToolCalls ? 'tool_calls' : known;
}
