import type { ChatModel } from '../../../catalogue/chat-models.ts';
import { GatewayError, invalidParam } from '../../../errors/gateway-error.ts';
import type { JsonObject, ParsedBody } from '../../../http/parse-json.ts';
import type { ChatRequest } from '../../chat-request.ts';
import type { ChatFields } from '../../chat-schema.ts';
import { firstIssue } from '../../first-issue.ts';
import { linksIn } from '../../links.ts';
import { CommonForm, objectsIn } from './common-form.ts';
import { commonMessages } from './conversation.ts';
import { type MessagesFields, messagesSchema } from './schema.ts';
import { commonChoice, commonTools } from './tools.ts';

/**
 * Our fields by native name, as far as the common form has them. Cache hints may be dropped: that changes no
 * answer.
 */
const ourNames: Readonly<Record<string, keyof ChatFields | null>> = {
  model: 'model',
  messages: 'messages',
  system: 'messages',
  max_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  stop_sequences: 'stop',
  stream: 'stream',
  tools: 'tools',
  tool_choice: 'tool_choice',
  metadata: 'user',
  cache_control: null,
};

/** Members that hold the caller's own values. Upstreams fetch no URL from them. */
const dataMembers: ReadonlySet<string> = new Set(['input', 'input_schema']);

/** Maximum of stop sequences in the common form. */
const maxStops = 4;

/**
 * Checks the body of a request in the messages protocol and also converts it to the common form. Reports the first invalid
 * field in document order, under the caller's name. Checks that an upstream of the protocol makes are left to it. `headers`
 * are those to send with the request.
 */
export function parseMessagesRequest(
  { value, exact }: ParsedBody,
  model: ChatModel,
  headers?: Readonly<Record<string, string>>,
): ChatRequest {
  const parsed = messagesSchema.safeParse(value);
  if (!parsed.success) throw firstIssue(parsed.error, value);
  const { data } = parsed;
  if (data.messages.every(({ role }) => role === 'system'))
    throw invalidParam('messages', 'messages must hold a turn of the user.');
  refuseThread(value);
  refuseOtherTerms(value);
  const words = new CommonForm();
  const fields = commonFields(data, exact, words);
  const { model: _model, stream: _stream, ...native } = withSystemApart(exact);
  return {
    model,
    fields,
    stream: data.stream ?? false,
    maxTokens: data.max_tokens,
    tags: null,
    given: givenIn(value),
    exact: fields,
    native: {
      dialect: 'messages',
      body: native,
      ...(headers !== undefined && { headers }),
      maxTokens: data.max_tokens,
      nativeOnly: words.nativeOnly,
      links: linksIn(exact, dataMembers),
      placeOf: (param) => words.placeOf(param),
    },
  };
}

/**
 * Rejects the `thread` field: it continues an answer by the upstream's id, but callers see our ids. Clients then proceed
 * without it.
 */
function refuseThread({ thread }: JsonObject): void {
  if (thread == null) return;
  throw new GatewayError('invalid_param', {
    param: 'thread',
    message: 'Conversations are not kept here: send all messages.',
    nativeCode: 'thread_unsupported_request',
  });
}

/**
 * An upstream may serve another model, or the same one at another price. Which models an account may use and what a call costs
 * is known here alone, so neither is left to the caller.
 */
function refuseOtherTerms({ fallbacks, speed }: JsonObject): void {
  const isOther = Array.isArray(fallbacks) ? fallbacks.length > 0 : (fallbacks ?? 'off') !== 'off';
  if (isOther) throw invalidParam('fallbacks', 'fallbacks are chosen by the service.');
  if ((speed ?? 'standard') !== 'standard') throw invalidParam('speed', 'speed must be standard.');
}

/** Our fields that the caller gave a value, and whether the system prompt is apart. */
function givenIn(value: JsonObject): ReadonlySet<string> {
  const names = Object.keys(value).filter((name) => value[name] !== null);
  return new Set([...names.flatMap(ourName), ...names.filter((name) => name === 'system')]);
}

function ourName(native: string): string[] {
  const ours = Object.hasOwn(ourNames, native) ? ourNames[native] : null;
  return ours == null ? [] : [ours];
}

/** The request in common form. Numbers are ordinary, except inside texts and schemas. */
function commonFields(data: MessagesFields, exact: JsonObject, words: CommonForm): ChatFields {
  const { temperature, top_p: topP, stop_sequences: stops, metadata } = data;
  words.onlyKnown(exact, '', Object.keys(ourNames));
  words.onlyKnown(metadata ?? {}, 'metadata', ['user_id']);
  words.place('stop', 'stop_sequences');
  words.place('user', 'metadata.user_id');
  const tools = commonTools(exact.tools, words);
  return {
    model: data.model,
    messages: commonMessages(exact, words),
    max_tokens: data.max_tokens,
    ...(temperature != null && { temperature }),
    ...(topP != null && { top_p: topP }),
    ...(stops != null && stops.length > 0 && { stop: commonStops(stops, words) }),
    ...(data.stream != null && { stream: data.stream }),
    ...(tools.length > 0 && { tools }),
    ...commonChoice(exact.tool_choice, words),
    ...(metadata?.user_id != null && { user: metadata.user_id }),
  };
}

/** An empty stop sequence would end every answer at once: only upstreams of the same dialect can report that. */
function commonStops(stops: readonly string[], words: CommonForm): string[] {
  const filled = stops.filter((stop) => stop !== '');
  if (filled.length < stops.length || stops.length > maxStops) words.nativeOnly.push('stop_sequences');
  return filled;
}

/** The body with the prompts of system turns moved to the protocol's own field, after its content (B-93). */
function withSystemApart(body: JsonObject): JsonObject {
  const turns = objectsIn(body.messages);
  const prompts = turns.filter(({ role }) => role === 'system').map(({ content }) => content);
  if (prompts.length === 0) return body;
  return {
    ...body,
    system: [body.system, ...prompts].flatMap(promptBlocks),
    messages: turns.filter(({ role }) => role !== 'system'),
  };
}

/** A prompt as blocks. An empty text is dropped, because the protocol rejects empty blocks. */
function promptBlocks(prompt: unknown): readonly unknown[] {
  if (Array.isArray(prompt)) return prompt;
  return typeof prompt === 'string' && prompt !== '' ? [{ type: 'text', text: prompt }] : [];
}
