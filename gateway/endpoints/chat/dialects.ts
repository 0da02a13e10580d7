import type { DialectName } from '../../catalogue/dialects.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { chatCompletionsBody } from '../../requests/native-body/chat-completions.ts';
import {
  generateContentBody,
  generateContentCountBody,
} from '../../requests/native-body/generate-content.ts';
import { messagesBody, messagesCountBody } from '../../requests/native-body/messages.ts';
import type { Channel } from '../../routing/channels.ts';
import { chatCompletions } from '../../upstreams/chat-completions/dialect.ts';
import type { ChatDialect, NativeRequest } from '../../upstreams/chat-dialect.ts';
import { generateContent } from '../../upstreams/generate-content/dialect.ts';
import { messages } from '../../upstreams/messages/dialect.ts';
import type { Gateway } from '../gateway.ts';

/** Both halves of a dialect: how a request is written in it, and how it is spoken. */
interface DialectParts {
  readonly dialect: ChatDialect;
  readonly nativeBody: (request: ChatRequest, nativeModel: string) => NativeRequest;
  /** The body of the call that counts a prompt, where the dialect has one. */
  readonly countBody?: (request: ChatRequest, nativeModel: string) => string;
}

/** The one list of dialects. */
export const DIALECT_PARTS: Readonly<Record<DialectName, DialectParts>> = {
  'chat-completions': { dialect: chatCompletions, nativeBody: chatCompletionsBody },
  messages: { dialect: messages, nativeBody: messagesBody, countBody: messagesCountBody },
  'generate-content': {
    dialect: generateContent,
    nativeBody: generateContentBody,
    countBody: generateContentCountBody,
  },
};

/** Asks the upstream behind a channel for the length of a request's prompt; null where there is no such call. */
export function promptCounter(
  { upstreams }: Gateway,
  channel: Channel | undefined,
  request: ChatRequest,
  gone: AbortSignal,
): (() => Promise<number | null>) | null {
  if (channel === undefined) return null;
  const { dialect: name, baseUrl, apiKey, nativeModel } = channel;
  const { dialect, countBody } = DIALECT_PARTS[name];
  const { countPrompt } = dialect;
  if (countPrompt === undefined || countBody === undefined) return null;
  return () =>
    countPrompt(upstreams, { baseUrl, apiKey, nativeModel, body: countBody(request, nativeModel), gone });
}
