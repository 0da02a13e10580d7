import type { FinishReason } from '../outcome.ts';

/** Endings by the upstream's policy: of the text, its language, of what it repeats, of what it pictures. */
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

/** Endings that are failures of the upstream: a call or an answer that cannot be read, or giving up without a word. */
const failed = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'OTHER',
];

/**
 * Our reason for a native one. The dialect has no word for an ending in tool calls: a regular end with some is one.
 * Unknown reasons mean a regular end; null stands for an ending that is a failure.
 */
export function finishReason(native: string, hasToolCalls: boolean): FinishReason | null {
  if (failed.includes(native)) return null;
  if (blocked.includes(native)) return 'content_filter';
  if (native === 'MAX_TOKENS') return 'length';
  return hasToolCalls ? 'tool_calls' : 'stop';
}
