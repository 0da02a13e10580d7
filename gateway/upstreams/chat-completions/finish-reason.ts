import { type FinishReason, finishReasons } from '../outcome.ts';

/** Endings that are failures of the upstream, not of the text. */
const failedEndings = ['insufficient_system_resource', 'error'];

/** The older dialect's words for an ending in tool calls. */
const callEndings = ['tool_calls', 'function_call'];

/** The answer says that it ends in calls. */
export function isCallEnding(native: string): boolean {
  return callEndings.includes(native);
}

/**
 * Our reason for a native one. A turn ends in `tool_calls` exactly when it has some, whatever the upstream says about
 * a regular end; unknown reasons mean a regular end; null stands for an ending that is a failure.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason | null {
  if (failedEndings.includes(native)) return null;
  const known = finishReasons.find((reason) => reason === native) ?? 'stop';
  const isRegular = known === 'stop' || isCallEnding(native);
  if (!isRegular) return known;
  return hasToolCalls ? 'tool_calls' : 'stop';
}
