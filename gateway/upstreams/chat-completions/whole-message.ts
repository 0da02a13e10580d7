import { isObject, type JsonObject } from '../../http/parse-json.ts';

/** Members of a reply under which some routers send the answer of their provider. */
const wrappers = ['data', 'result', 'response', 'output'] as const;

/** A whole message as a delta. Whole calls need no index to be distinguished: each entry is one. */
export function messageAsDelta(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  const numbered = Array.isArray(calls)
    ? calls.map((call: unknown, index) => (isObject(call) ? { ...call, index } : call))
    : calls;
  return { ...message, tool_calls: numbered };
}

/** The answer within a reply: the reply itself, or what a router put around its choices. */
export function unwrapped(reply: JsonObject): JsonObject {
  if (reply.choices !== undefined) return reply;
  const inner = wrappers
    .map((name) => reply[name])
    .find((one): one is JsonObject => isObject(one) && Array.isArray(one.choices) && one.choices.length > 0);
  return inner === undefined ? reply : { ...inner, usage: inner.usage ?? reply.usage };
}

/** Whether a delta brings a part of the answer: more than its role, and values that stand for nothing. */
export function bringsContent(delta: JsonObject): boolean {
  return Object.entries(delta).some(
    ([name, value]) =>
      name !== 'role' && (value ?? '') !== '' && !(Array.isArray(value) && value.length === 0),
  );
}
