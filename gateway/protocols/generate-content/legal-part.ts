import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { argumentsObject } from '../../requests/native-body/arguments-object.ts';

/**
 * Converts an upstream's part to what clients of the protocol can read. A call gets our id, if it has one, and
 * arguments that are an object (fault M14). Null for an invalid call, or a thought whose text is not a string.
 */
export function legalPart(part: JsonObject, callId?: string): JsonObject | null {
  if (part.thought === true && typeof (part.text ?? '') !== 'string') return null;
  const { functionCall: call = null } = part;
  if (call === null) return part;
  if (!isObject(call) || typeof call.name !== 'string') return null;
  const { id = null, args = null } = call;
  const named = id === null || callId === undefined ? {} : { id: callId };
  const given = args === null || isObject(args) ? {} : { args: argumentsObject(textOf(args)) };
  return { ...part, functionCall: { ...call, ...named, ...given } };
}

function textOf(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
