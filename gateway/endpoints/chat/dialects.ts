import type { DialectName } from '../../catalogue/dialects.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { chatCompletionsBody } from '../../requests/native-body/chat-completions.ts';
import {
  generateContentBody,
  generateContentCountBody,
} from '../../requests/native-body/generate-content.ts';
import { messagesBody, messagesCountBody } from '../../requests/native-body/messages.ts';
import { stopsOf } from '../../requests/stops.ts';
import type { Channel } from '../../routing/channels.ts';
import { chatCompletions } from '../../upstreams/chat-completions/dialect.ts';
import type { ChatDialect, NativeRequest } from '../../upstreams/chat-dialect.ts';
import { generateContent } from '../../upstreams/generate-content/dialect.ts';
import { haltAt } from '../../upstreams/halting/halt-at.ts';
import { messages } from '../../upstreams/messages/dialect.ts';
import type { UpstreamOutcome } from '../../upstreams/outcome.ts';
import type { Gateway } from '../gateway.ts';

/** Both halves of a dialect: how a request is written in it, and how it is spoken. */
interface DialectParts {
  readonly dialect: ChatDialect;
  readonly nativeBody: (request: ChatRequest, nativeModel: string) => NativeRequest;
  /** The body of the call that counts a prompt, where the dialect has one. */
  readonly countBody?: (request: ChatRequest, nativeModel: string) => string;
}

/** The one list of dialects. */
const DIALECT_PARTS: Readonly<Record<DialectName, DialectParts>> = {
  'chat-completions': { dialect: chatCompletions, nativeBody: chatCompletionsBody },
  messages: { dialect: messages, nativeBody: messagesBody, countBody: messagesCountBody },
  'generate-content': {
    dialect: generateContent,
    nativeBody: generateContentBody,
    countBody: generateContentCountBody,
  },
};

/** Sends a request to the upstream behind a channel, and halts its answer at stops that this upstream does not take. */
export async function complete(
  { upstreams, newId }: Gateway,
  { dialect: name, baseUrl, apiKey, nativeModel, takesStop }: Channel,
  request: ChatRequest,
  gone: AbortSignal,
): Promise<UpstreamOutcome> {
  const { dialect, nativeBody } = DIALECT_PARTS[name];
  const native = nativeBody(takesStop ? request : withoutStop(request), nativeModel);
  const outcome = await dialect.complete(upstreams, () => newId('call_'), {
    ...native,
    baseUrl,
    apiKey,
    nativeModel,
    stream: request.stream,
    gone,
  });
  const stops = takesStop ? (native.ownStops ?? []) : stopsOf(request.fields);
  return stops.length > 0 ? await haltAt(stops, outcome) : outcome;
}

function withoutStop(request: ChatRequest): ChatRequest {
  return { ...request, fields: { ...request.fields, stop: null } };
}

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
