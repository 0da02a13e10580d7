import { FINISH_REASONS, type FinishReason } from '../outcome.ts';

/** Endings that are failures of the upstream, not of the text. */
const FAILED_ENDINGS = ['insufficient_system_resource', 'error'];

/** The older dialect's words for an ending in tool calls. */
const CALL_ENDINGS = ['tool_calls', 'function_call'];

/** The answer says that it ends in calls. */
export function isCallEnding(native: string): boolean {
  return CALL_ENDINGS.includes(native);
}

/**
 * Our reason for a native one. A turn ends in `tool_calls` exactly when it has some, whatever the upstream says about
 * a regular end; unknown reasons mean a regular end; null stands for an ending that is a failure.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason | null {
  if (FAILED_ENDINGS.includes(native)) return null;
  const known = FINISH_REASONS.find((reason) => reason === native) ?? 'stop';
  const isRegular = known === 'stop' || isCallEnding(native);
  if (!isRegular) return known;
  return hasToolCalls ? 'tool_calls' : 'stop';
}
