import type { JsonObject } from '../../http/parse-json.ts';

/*
 * Decides which native-only blocks go to callers of this dialect. Their clients assemble blocks without checks: a
 * delta that does not fit would spoil the whole message. Unknown kinds are passed on unchanged.
 */

/** Deltas by type: the text member of each, and the kinds of blocks that it belongs to. */
const deltas: Readonly<Record<string, { readonly member: string; readonly kinds: readonly string[] }>> = {
  text_delta: { member: 'text', kinds: ['text'] },
  thinking_delta: { member: 'thinking', kinds: ['thinking'] },
  signature_delta: { member: 'signature', kinds: ['thinking'] },
};

/** Kinds of blocks that have no input. */
const withoutInput: readonly unknown[] = ['text', 'thinking', 'redacted_thinking'];

/** The block with the text members that its kind needs; null when it is not a block. */
export function legalBlock(block: JsonObject): JsonObject | null {
  if (typeof block.type !== 'string' || block.type === '') return null;
  if (block.type === 'text' && typeof block.text !== 'string') return { ...block, text: '' };
  if (block.type !== 'thinking') return block;
  const { thinking, signature = '' } = block;
  return {
    ...block,
    ...(typeof thinking !== 'string' && { thinking: '' }),
    ...(typeof signature !== 'string' && { signature: '' }),
  };
}

/** Whether a delta fits a block of this kind. */
export function isLegalDelta(kind: unknown, { type, ...delta }: JsonObject): boolean {
  if (typeof type !== 'string' || type === '') return false;
  if (type === 'input_json_delta')
    return !withoutInput.includes(kind) && typeof delta.partial_json === 'string';
  if (type === 'citations_delta') return kind === 'text';
  const known = Object.hasOwn(deltas, type) ? deltas[type] : undefined;
  return (
    known === undefined || (known.kinds.includes(String(kind)) && typeof delta[known.member] === 'string')
  );
}
