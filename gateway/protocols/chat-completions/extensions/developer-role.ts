import { isObject, type JsonObject } from '../../../http/parse-json.ts';

/** Instructions that newer clients send under the role `developer` are those of the system. */
export function developerRole(body: JsonObject): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map(asSystem) };
}

function asSystem(message: unknown): unknown {
  return isObject(message) && message.role === 'developer' ? { ...message, role: 'system' } : message;
}
