import type { ChatModel } from '../catalogue/chat-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { type ChatRequest, paramOf } from './chat-request.ts';
import { type MediaKind, mediaOf } from './media-url.ts';
import type { Message } from './message-schema.ts';

/** The capability that each kind of media block requires, in words. */
const mediaNames: Readonly<Record<MediaKind, string>> = {
  image: 'images',
  video: 'video',
  audio: 'audio',
  document: 'documents',
};

/**
 * Rejects a request that needs an ability which the model lacks, anywhere in the conversation (B-27, B-30). A history with
 * tool calls requires tool support just as a definition does. Cache hints (B-29) and an empty list of tools require nothing.
 */
export function checkCapability(request: ChatRequest): void {
  const { model, fields, stream } = request;
  const refuse: Refuse = (param, what) => {
    const message = `This model does not take ${what}.`;
    throw new GatewayError('unsupported_capability', { param: paramOf(request, param), message });
  };
  if (!model.stream && stream) refuse('stream', 'streaming');
  if (!model.tools && (fields.tools ?? []).length > 0) refuse('tools', 'tools');
  if (!model.jsonSchema && fields.response_format?.type === 'json_schema')
    refuse('response_format', 'JSON schemas');
  fields.messages.forEach((message, m) => {
    checkMessage(model, message, () => `messages[${m}]`, refuse);
  });
}

type Refuse = (param: string, what: string) => void;

function checkMessage(model: ChatModel, message: Message, at: () => string, refuse: Refuse): void {
  if (message.role === 'assistant' && !model.tools && (message.tool_calls ?? []).length > 0)
    refuse(`${at()}.tool_calls`, 'tools');
  if (message.role !== 'user' || typeof message.content === 'string') return;
  for (const [b, block] of message.content.entries()) {
    if (block.type !== 'image_url') continue;
    const { kind } = mediaOf(block.image_url.url);
    if (!(kind === 'image' ? model.vision : model.media)) refuse(`${at()}.content[${b}]`, mediaNames[kind]);
  }
}
