import { type ChannelDialect, type DialectName, isChatDialect } from '../../catalogue/dialects.ts';
import type { Gone } from '../../gone.ts';
import { nextTurn, smallBytes } from '../../http/next-turn.ts';
import { answerRoom } from '../../requests/answer-room.ts';
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
import { generateContent } from '../../upstreams/generate-content/dialect.ts';
import { messages } from '../../upstreams/messages/dialect.ts';
import type { UpstreamOutcome } from '../../upstreams/outcome.ts';
import { enforceStops } from '../../upstreams/stop-sequences/enforce-stops.ts';
import type { ChatService } from './chat-service.ts';

/** Both parts of a dialect: how a request is written in it, and how its calls are made. */
interface DialectParts {
  readonly dialect: ChatDialect;
  readonly nativeBody: (request: ChatRequest, nativeModel: string) => NativeRequest;
  /** The body of the call that counts a prompt, if the dialect has such a call. */
  readonly countBody?: (request: ChatRequest, nativeModel: string) => string;
  /** Whether each request must state a maximum answer length. */
  readonly needsLimit?: true;
}

/** All chat dialects. */
const dialectParts: Readonly<Record<DialectName, DialectParts>> = {
  'chat-completions': { dialect: chatCompletions, nativeBody: chatCompletionsBody },
  messages: { dialect: messages, nativeBody: messagesBody, countBody: messagesCountBody, needsLimit: true },
  'generate-content': {
    dialect: generateContent,
    nativeBody: generateContentBody,
    countBody: generateContentCountBody,
  },
};

/** The parts of a chat dialect. The configuration allows chat models only on channels of chat dialects. */
function partsOf(dialect: ChannelDialect): DialectParts {
  if (!isChatDialect(dialect)) throw new Error(`a chat model on a channel that speaks ${dialect}`);
  return dialectParts[dialect];
}

/** Bodies of requests whose protocol and channel have the same dialect. */
const compatBodies: Readonly<Record<NativeForm['dialect'], CompatBodies>> = {
  messages: compatMessages,
  'generate-content': compatGenerateContent,
};

/** The parts of the service that a call to an upstream uses. */
export type Completing = Pick<ChatService, 'upstreams' | 'newId' | 'clock'>;

/** The channel of a call, and whether the call needs a new connection. */
interface Way {
  readonly channel: Channel;
  readonly isFresh: boolean;
}

/** The request with a maximum answer length, if its caller states none and a channel requires one (B-15). */
export function withRoom(
  service: Completing,
  channels: readonly LiveChannel[],
  preferred: LiveChannel | null,
  request: ChatRequest,
  gone: Gone,
): Promise<ChatRequest> | ChatRequest {
  const needsLimit = channels.some(
    ({ channel }) => channel.outputTokens === null && partsOf(channel.dialect).needsLimit,
  );
  if (request.maxTokens !== null || !needsLimit) return request;
  return answerRoom(request, promptCounter(service, preferred, request, gone)).then((room) => ({
    ...request,
    room,
  }));
}

/**
 * Sends a request to the upstream of a channel. It enforces the stop sequences that this upstream does not accept.
 */
export async function complete(
  { upstreams, newId }: Completing,
  { channel, isFresh }: Way,
  request: ChatRequest,
  gone: Gone,
): Promise<UpstreamOutcome> {
  const { dialect: name, baseUrl, apiKey, nativeModel, takesStop } = channel;
  const { dialect } = partsOf(name);
  const native = nativeRequest(takesStop ? request : withoutStop(request), channel);
  // To send a large body takes as long as to write it.
  if (native.body.length > smallBytes) await nextTurn();
  const outcome = await dialect.complete(upstreams, () => newId('call_'), {
    ...native,
    isFresh,
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

/** A request in the dialect of a channel. If the caller uses the same dialect, the caller's own fields are sent. */
function nativeRequest(asked: ChatRequest, { dialect, nativeModel, outputTokens }: Channel): NativeRequest {
  const request = outputTokens === null ? asked : { ...asked, room: outputTokens };
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
 * Returns a function that gets the length of the prompt from the upstream of a channel. Null if the dialect has no such call,
 * or if the channel has not proved itself yet. The result does not affect the channel's health: the request itself will. But
 * after a timeout the upstream gets no such call for a while.
 */
export function promptCounter(
  service: Completing,
  live: LiveChannel | null,
  request: ChatRequest,
  gone: Gone,
): PromptCounter | null {
  return live?.countsPrompts === true ? counterOn(service, live, request, gone) : null;
}

/** Resolves with the length of a prompt; null when the upstream does not report it. */
export type PromptCounter = () => Promise<number | null>;

/** The same on a channel that need not have proved itself, for callers who want nothing but the count. */
export function counterOn(
  { upstreams, clock }: Completing,
  live: LiveChannel,
  request: ChatRequest,
  gone: Gone,
): PromptCounter | null {
  const { dialect: name, baseUrl, apiKey, nativeModel } = live.channel;
  const { dialect, countBody } = partsOf(name);
  const { countPrompt } = dialect;
  if (countPrompt === undefined || countBody === undefined) return null;
  return async () => {
    const beganMs = clock.monotonic();
    const native = request.native?.dialect === name ? request.native : null;
    const body =
      native === null
        ? countBody(request, nativeModel)
        : compatBodies[native.dialect].countBody(native, nativeModel);
    const headers = native === null ? {} : headersIn(native);
    const count = await countPrompt(upstreams, { baseUrl, apiKey, nativeModel, body, gone, ...headers });
    if (count === null && !gone.aborted) live.countedInVain(clock.monotonic() - beganMs);
    return count;
  };
}
