import { chatModels } from '../catalogue/chat-models.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import type { ChatRequest } from '../requests/chat-request.ts';
import { parseGenerateContentRequest } from '../requests/compat/generate-content/parse-request.ts';

/** A `generate-content` request as parsed by the gateway. */
export function parsed(body: string | object): ChatRequest {
  const model = chatModels.get('gamma-3-pro');
  if (model === undefined) throw new Error('no such model');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return parseGenerateContentRequest(parseJsonObject(Buffer.from(text)), model, false);
}

/** Turns of such a request. */
export const user = (...parts: object[]) => ({ role: 'user', parts });
export const model = (...parts: object[]) => ({ role: 'model', parts });
export const hi = user({ text: 'hi' });
