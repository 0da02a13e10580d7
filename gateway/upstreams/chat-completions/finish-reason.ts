import { type FinishReason, finishReasons } from '../outcome.ts';

/** Finish reasons that are failures of the upstream, not properties of the text. */
const failedEndings = ['insufficient_system_resource', 'error'];

/** Finish reasons for tool calls, including that of the older dialect. */
const callEndings = ['tool_calls', 'function_call'];

/** The reason itself, where it is none that is known here. */
export function unknownEnding(native: string): { unknownEnding?: string } {
  const known: readonly string[] = [...finishReasons, ...callEndings, ...failedEndings];
  return known.includes(native) ? {} : { unknownEnding: native };
}

/** Whether the answer states that it ends in tool calls. */
export function isCallEnding(native: string): boolean {
  return callEndings.includes(native);
}

/**
 * Maps a native finish reason to ours. A turn ends in `tool_calls` exactly when it has some, whatever regular end
 * the upstream states. Unknown reasons count as a regular end; null means that the upstream failed.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason | null {
  if (failedEndings.includes(native)) return null;
  const known = finishReasons.find((reason) => reason === native) ?? 'stop';
  const isRegular = known === 'stop' || isCallEnding(native);
  if (!isRegular) return known;
  return hasToolCalls ? 'tool_calls' : 'stop';
}
