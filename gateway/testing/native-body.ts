import { chatModels } from '../catalogue/chat-models.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { type ChatRequest, parseChatRequest } from '../requests/chat-request.ts';
import { generateContentBody } from '../requests/native-body/generate-content.ts';
import { messagesBody } from '../requests/native-body/messages.ts';

/** Parses a body as a request for a catalogue model; a string is parsed unchanged. */
export function chatRequest(body: string | object, modelId: string): ChatRequest {
  const model = chatModels.get(modelId);
  if (model === undefined) throw new Error(`no model ${modelId}`);
  const text = typeof body === 'string' ? body : JSON.stringify({ model: modelId, ...body });
  return parseChatRequest(parseJsonObject(Buffer.from(text)), model);
}

/** The upstream body of a beta model for a request: one user turn unless the fields say otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
export function messagesBodyOf(fields: object, modelId = 'beta-large-4-5'): any {
  const request = chatRequest({ messages: [{ role: 'user', content: 'hi' }], ...fields }, modelId);
  return JSON.parse(messagesBody(request, 'native-name').body);
}

/** The same for a gamma model. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
export function generateContentBodyOf(fields: object, modelId = 'gamma-3-pro'): any {
  const request = chatRequest({ messages: [{ role: 'user', content: 'hi' }], ...fields }, modelId);
  return JSON.parse(generateContentBody(request).body);
}
