import { type ChannelDialect, type DialectName, isChatDialect } from '../../catalogue/dialects.ts';
import type { ChatRequest, NativeForm } from '../../requests/chat-request.ts';
import type { CompatBodies } from '../../requests/compat/compat-bodies.ts';
import { compatGenerateContent } from '../../requests/compat/generate-content/bodies.ts';
import { compatMessages } from '../../requests/compat/messages/bodies.ts';
import { chatCompletionsBody } from '../../requests/native-body/chat-completions.ts';
import {
  generateContentBody,
  generateContentCountBody,
} from '../../requests/native-body/generate-content.ts';
import { messagesBody, messagesCountBody } from '../../requests/native-body/messages.ts';
import { stopsOf } from '../../requests/stops.ts';
import type { Channel } from '../../routing/channel.ts';
import type { LiveChannel } from '../../routing/live-channel.ts';
import { chatCompletions } from '../../upstreams/chat-completions/dialect.ts';
import type { ChatDialect, NativeRequest } from '../../upstreams/chat-dialect.ts';
import type { UpstreamClient } from '../../upstreams/client.ts';
import { generateContent } from '../../upstreams/generate-content/dialect.ts';
import { messages } from '../../upstreams/messages/dialect.ts';
import type { UpstreamOutcome } from '../../upstreams/outcome.ts';
import { enforceStops } from '../../upstreams/stop-sequences/enforce-stops.ts';
import type { ChatService } from './chat-service.ts';

/** Both halves of a dialect: how a request is written in it, and how it is spoken. */
interface DialectParts {
  readonly dialect: ChatDialect;
  readonly nativeBody: (request: ChatRequest, nativeModel: string) => NativeRequest;
  /** The body of the call that counts a prompt, where the dialect has one. */
  readonly countBody?: (request: ChatRequest, nativeModel: string) => string;
}

/** The one list of dialects. */
const dialectParts: Readonly<Record<DialectName, DialectParts>> = {
  'chat-completions': { dialect: chatCompletions, nativeBody: chatCompletionsBody },
  messages: { dialect: messages, nativeBody: messagesBody, countBody: messagesCountBody },
  'generate-content': {
    dialect: generateContent,
    nativeBody: generateContentBody,
    countBody: generateContentCountBody,
  },
};

/** The configuration puts chat models on channels of chat dialects alone. */
function partsOf(dialect: ChannelDialect): DialectParts {
  if (!isChatDialect(dialect)) throw new Error(`a chat model on a channel that speaks ${dialect}`);
  return dialectParts[dialect];
}

/** The bodies of requests that came in a dialect and go on in it. */
const compatBodies: Readonly<Record<NativeForm['dialect'], CompatBodies>> = {
  messages: compatMessages,
  'generate-content': compatGenerateContent,
};

/** By which channel, and whether on a connection of its own. */
interface Way {
  readonly channel: Channel;
  readonly isFresh: boolean;
}

/** Sends a request to the upstream behind a channel, and halts its answer at stops that this upstream does not take. */
export async function complete(
  { upstreams, newId }: ChatService,
  { channel, isFresh }: Way,
  request: ChatRequest,
  gone: AbortSignal,
): Promise<UpstreamOutcome> {
  const { dialect: name, baseUrl, apiKey, nativeModel, takesStop } = channel;
  const { dialect } = partsOf(name);
  const native = nativeRequest(takesStop ? request : withoutStop(request), channel);
  const client: UpstreamClient = { ...upstreams, post: (call) => upstreams.post({ ...call, isFresh }) };
  const outcome = await dialect.complete(client, () => newId('call_'), {
    ...native,
    baseUrl,
    apiKey,
    nativeModel,
    stream: request.stream,
    keepNative: request.native?.dialect === name,
    gone,
  });
  const stops = takesStop ? (native.ownStops ?? []) : stopsOf(request.fields);
  return stops.length > 0 ? await enforceStops(stops, outcome) : outcome;
}

/** A request in the words of a channel's dialect: the caller's own where they speak it. */
function nativeRequest(request: ChatRequest, { dialect, nativeModel }: Channel): NativeRequest {
  const { native } = request;
  if (native?.dialect === dialect)
    return { body: compatBodies[native.dialect].body(request, native, nativeModel), ...headersIn(native) };
  return partsOf(dialect).nativeBody(request, nativeModel);
}

function headersIn({ headers }: NativeForm): Pick<NativeRequest, 'headers'> {
  return headers === undefined ? {} : { headers };
}

function withoutStop(request: ChatRequest): ChatRequest {
  return { ...request, fields: { ...request.fields, stop: null } };
}

/**
 * Asks the upstream behind a channel for the length of a request's prompt; null where there is no such call, or where a
 * channel has yet to prove itself. What comes of it says nothing about the channel: the request itself will. But one
 * that let us wait in vain is not asked again for a while.
 */
export function promptCounter(
  { upstreams, clock }: ChatService,
  live: LiveChannel | null,
  request: ChatRequest,
  gone: AbortSignal,
): (() => Promise<number | null>) | null {
  if (live === null || !live.countsPrompts) return null;
  const { dialect: name, baseUrl, apiKey, nativeModel } = live.channel;
  const { dialect, countBody } = partsOf(name);
  const { countPrompt } = dialect;
  if (countPrompt === undefined || countBody === undefined) return null;
  return async () => {
    const beganMs = clock.now();
    const native = request.native?.dialect === name ? request.native : null;
    const body =
      native === null
        ? countBody(request, nativeModel)
        : compatBodies[native.dialect].countBody(native, nativeModel);
    const headers = native === null ? {} : headersIn(native);
    const count = await countPrompt(upstreams, { baseUrl, apiKey, nativeModel, body, gone, ...headers });
    if (count === null && !gone.aborted) live.countedInVain(clock.now() - beganMs);
    return count;
  };
}
