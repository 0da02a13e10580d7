import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { argumentsObject } from '../../requests/native-body/arguments-object.ts';

/**
 * A part of an upstream as the clients of the protocol can read it: a call under the id that it goes by here, where it
 * has one, and with arguments that are an object (fault M14). Null for a thought that is none.
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
