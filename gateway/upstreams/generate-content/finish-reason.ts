import type { FinishReason } from '../outcome.ts';

/** Endings by the upstream's policy: for the text, its language, repeated content or depicted content. */
const blocked = [
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
];

/** Endings that are failures of the upstream: an unreadable call or answer, or no text at all. */
const failed = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'OTHER',
];

const regular = ['STOP', 'MAX_TOKENS'];

/** The reason itself, where it is none that is known here. */
export function unknownEnding(native: string): { unknownEnding?: string } {
  return [...blocked, ...failed, ...regular].includes(native) ? {} : { unknownEnding: native };
}

/**
 * Maps a native finish reason to ours. The dialect has none for tool calls: a regular end with calls is one.
 * Unknown reasons count as a regular end; null means that the upstream failed.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason | null {
  if (failed.includes(native)) return null;
  if (blocked.includes(native)) return 'content_filter';
  if (native === 'MAX_TOKENS') return 'length';
  return hasToolCalls ? 'tool_calls' : 'stop';
}
