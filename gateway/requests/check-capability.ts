import { GatewayError } from '../errors/gateway-error.ts';
import type { ChatRequest } from './chat-request.ts';
import { mediaKind } from './media-url.ts';

/** Refuses what the model cannot do, wherever in the conversation it is asked for (B-27, B-30). */
export function checkCapability(request: ChatRequest): void {
  const { model, fields } = request;
  if (!model.stream && request.stream) refuse('stream', 'streaming');
  if (!model.tools && (fields.tools ?? []).length > 0) refuse('tools', 'tools');
  if (!model.jsonSchema && fields.response_format?.type === 'json_schema')
    refuse('response_format', 'JSON schemas');
  for (const [m, message] of fields.messages.entries()) {
    if (message.role !== 'user' || typeof message.content === 'string') continue;
    for (const [b, block] of message.content.entries()) {
      if (block.type !== 'image_url') continue;
      const param = `messages[${m}].content[${b}]`;
      if (!model.vision) refuse(param, 'images');
      if (!model.media && mediaKind(block.image_url.url) === 'other')
        refuse(param, 'media other than images');
    }
  }
}

function refuse(param: string, what: string): never {
  throw new GatewayError('unsupported_capability', { param, message: `This model does not take ${what}.` });
}
