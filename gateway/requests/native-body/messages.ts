import type { NativeRequest } from '../../upstreams/chat-dialect.ts';
import type { ChatRequest } from '../chat-request.ts';
import { stopsOf } from '../stops.ts';
import { contentBlocks, isBlank } from './messages/blocks.ts';
import { nativeTools } from './messages/tools.ts';
import { nativeTurns } from './messages/turns.ts';
import { wellFormedJson } from './well-formed-json.ts';

/** The dialect's range is half of ours (B-14). */
const maxTemperature = 1;
/** Maximum length of a user label in the dialect. */
const maxUserLength = 256;

/**
 * The body in the messages dialect: the system prompt apart from the turns, tools and results as blocks, the token
 * limit always stated. `seed`, speaker names, `strict` and `detail` are dropped, because the dialect has no member
 * for them. It rejects stop sequences of only white space, so the gateway enforces those.
 */
export function messagesBody(request: ChatRequest, nativeModel: string): NativeRequest {
  const { fields, model, maxTokens, room, stream } = request;
  const { prompt, textTool } = promptOf(request, nativeModel);
  const stops = Object.groupBy(stopsOf(fields), (stop) => (isBlank(stop) ? 'own' : 'native'));
  const body = wellFormedJson({
    ...prompt,
    max_tokens: maxTokens ?? room ?? model.outputTokens,
    ...sampling(fields),
    ...(stops.native && { stop_sequences: stops.native }),
    ...(fields.user && { metadata: { user_id: labelOf(fields.user) } }),
    ...(stream && { stream: true }),
  });
  return { body, ...(textTool !== null && { textTool }), ...(stops.own && { ownStops: stops.own }) };
}

/** The body of the counting call: only what belongs to the prompt. */
export function messagesCountBody(request: ChatRequest, nativeModel: string): string {
  return wellFormedJson(promptOf(request, nativeModel).prompt);
}

function promptOf(
  request: ChatRequest,
  nativeModel: string,
): { readonly prompt: object; readonly textTool: string | null } {
  const { tools, choice, textTool } = nativeTools(request);
  const prompt = {
    model: nativeModel,
    ...systemOf(request.fields.messages),
    messages: nativeTurns(request.fields.messages),
    ...(tools.length > 0 && { tools }),
    ...(choice !== null && { tool_choice: choice }),
  };
  return { prompt, textTool };
}

function systemOf([first]: ChatRequest['fields']['messages']): object {
  if (first?.role !== 'system') return {};
  if (typeof first.content === 'string') return isBlank(first.content) ? {} : { system: first.content };
  const blocks = contentBlocks(first.content);
  return blocks.length > 0 ? { system: blocks } : {};
}

/**
 * Only one of temperature and top_p may be sent: the one that differs from its default, or temperature if both do
 * (B-12).
 */
function sampling({ temperature = null, top_p: topP = null }: ChatRequest['fields']): object {
  const clamped = temperature === null ? null : Math.min(temperature, maxTemperature);
  if (clamped === null) return topP === null ? {} : { top_p: topP };
  return topP !== null && topP !== 1 && clamped === 1 ? { top_p: topP } : { temperature: clamped };
}

/** A label cut to the dialect's maximum, never inside a character. */
function labelOf(user: string): string {
  return user
    .toWellFormed()
    .slice(0, maxUserLength)
    .replace(/[\ud800-\udbff]$/, '');
}
