import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { argumentsObject } from '../../requests/native-body/arguments-object.ts';
import { argumentText } from '../../upstreams/argument-text.ts';

/**
 * Converts an upstream's part to what clients of the protocol can read. A call gets our id, if it has one, and
 * arguments that are an object (fault M14). Null for an invalid call, or a thought whose text is not a string.
 */
export function legalPart(part: JsonObject, callId?: string): JsonObject | null {
  if (part.thought === true && typeof (part.text ?? '') !== 'string') return null;
  if (part.text === null) return withoutText(part, callId);
  const { functionCall: call = null } = part;
  if (call === null) return part;
  if (!isObject(call) || typeof call.name !== 'string') return null;
  const { id = null, args = null } = call;
  const named = id === null || callId === undefined ? {} : { id: callId };
  const given = args === null || isObject(args) ? {} : { args: argumentsObject(argumentText(textOf(args))) };
  return { ...part, functionCall: { ...call, ...named, ...given } };
}

/** A part whose text is absent; null if it has nothing else. */
function withoutText({ text: _absent, ...rest }: JsonObject, callId?: string): JsonObject | null {
  return Object.keys(rest).length === 0 ? null : legalPart(rest, callId);
}

function textOf(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
