import type { JsonObject } from '../../http/parse-json.ts';

/*
 * What of the blocks that a common answer has no place for goes to callers of this dialect. Their clients build blocks
 * up blindly: what does not fit would spoil the whole message. Kinds that are not known here go on as they are.
 */

/** Deltas by their types: the text that each brings, and the kinds of blocks that it belongs to. */
const deltas: Readonly<Record<string, { readonly member: string; readonly kinds: readonly string[] }>> = {
  text_delta: { member: 'text', kinds: ['text'] },
  thinking_delta: { member: 'thinking', kinds: ['thinking'] },
  signature_delta: { member: 'signature', kinds: ['thinking'] },
};

/** Kinds of blocks that get no input. */
const withoutInput: readonly unknown[] = ['text', 'thinking', 'redacted_thinking'];

/** A block, with the texts that its kind has; null for what is no block. */
export function legalBlock(block: JsonObject): JsonObject | null {
  if (typeof block.type !== 'string' || block.type === '') return null;
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
