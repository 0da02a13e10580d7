import type { ChatModel } from '../catalogue/chat-models.ts';
import type { JsonObject, ParsedBody } from '../http/parse-json.ts';
import { type ChatFields, chatSchema } from './chat-schema.ts';
import { checkCacheHints } from './check-cache-hints.ts';
import { checkConversation } from './check-conversation.ts';
import { checkTools } from './check-tools.ts';
import { firstIssue } from './first-issue.ts';

/** A chat request whose every field is in order. */
export interface ChatRequest {
  readonly model: ChatModel;
  readonly fields: ChatFields;
  readonly stream: boolean;
  /** Null when the caller leaves it to the model. */
  readonly maxTokens: number | null;
  /** The caller's own tags, for the usage log. */
  readonly tags: Readonly<Record<string, string>> | null;
  /** Top-level names that the caller gave a value. */
  readonly given: ReadonlySet<string>;
  /** The body as sent, with the digits of its numbers kept. */
  readonly exact: JsonObject;
  /** What the caller wrote, when it was in a native protocol; null on the core path. */
  readonly native: NativeForm | null;
}

/**
 * A request of a compat path as its caller wrote it. Upstreams of the same dialect get it word for word; `fields` and
 * `exact` say the same in our words, as far as they can, for checks and for upstreams of other dialects.
 */
export interface NativeForm {
  readonly dialect: 'messages' | 'generate-content';
  /** The body with the digits of its numbers kept, without `model` and `stream`. */
  readonly body: JsonObject;
  /** What the request says in headers, for upstreams of the same dialect. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The most tokens of the answer as the body says it; null when it does not. */
  readonly maxTokens: number | null;
  /** Bracket paths of what only this dialect can say: with any, no upstream of another dialect can serve the request. */
  readonly nativeOnly: readonly string[];
  /** Where something stands in the body, by its bracket path in our words, e.g. `messages[1].content[0]`. */
  placeOf(param: string): string;
}

/** The bracket path of a field in the caller's own words. */
export function paramOf({ native }: Pick<ChatRequest, 'native'>, param: string): string {
  return native === null ? param : native.placeOf(param);
}

/** Checks the fields of a chat body. The first fault in the order of the document is the one reported. */
export function parseChatRequest(body: ParsedBody, model: ChatModel): ChatRequest {
  const parsed = chatSchema(model).safeParse(body.value);
  if (!parsed.success) throw firstIssue(parsed.error, body.value);
  const fields = parsed.data;
  checkConversation(fields.messages);
  checkTools(fields);
  if (model.cache) checkCacheHints(fields);
  const names = Object.keys(body.value).filter((name) => body.value[name] !== null);
  return {
    model,
    fields,
    stream: fields.stream ?? false,
    maxTokens: fields.max_tokens ?? null,
    tags: fields.metadata == null ? null : tagsOf(fields.metadata),
    given: new Set(names),
    exact: body.exact,
    native: null,
  };
}

function tagsOf(metadata: JsonObject): Record<string, string> {
  // The schema let only texts through.
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, String(value)]));
}
