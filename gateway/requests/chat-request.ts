import type { ChatModel } from '../catalogue/chat-models.ts';
import { invalidParam } from '../errors/gateway-error.ts';
import type { JsonObject, ParsedBody } from '../http/parse-json.ts';
import { type ChatFields, chatSchema } from './chat-schema.ts';
import { checkCacheHints } from './check-cache-hints.ts';
import { checkConversation } from './check-conversation.ts';
import { firstIssue } from './first-issue.ts';
import type { Link } from './links.ts';

/** A chat request whose fields are all valid. */
export interface ChatRequest {
  readonly model: ChatModel;
  readonly fields: ChatFields;
  readonly stream: boolean;
  /** Null when the caller sets no limit. */
  readonly maxTokens: number | null;
  /** The max_tokens to send if the caller names none and the upstream requires one. */
  readonly room?: number;
  /** The caller's own tags, for the usage log. */
  readonly tags: Readonly<Record<string, string>> | null;
  /** Names of the top-level fields that the caller gave a value. */
  readonly given: ReadonlySet<string>;
  /** The body as sent, with all digits of its numbers. */
  readonly exact: JsonObject;
  /** The caller's request in a native protocol; null on the core path. */
  readonly native: NativeForm | null;
}

/**
 * A request of a compat path as its caller wrote it. Upstreams of the same dialect get it word for word. `fields`
 * and `exact` hold its common form, as far as there is one, for checks and for other dialects.
 */
export interface NativeForm {
  readonly dialect: 'messages' | 'generate-content';
  /** The body with all digits of its numbers, without `model` and `stream`. */
  readonly body: JsonObject;
  /** Extra headers of the request, for upstreams of the same dialect. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The maximum of answer tokens that the body states; null when it states none. */
  readonly maxTokens: number | null;
  /** Bracket paths of native-only fields. With any of them, no upstream of another dialect can serve the request. */
  readonly nativeOnly: readonly string[];
  /** Every link in the caller's body. An upstream gets the body only if the guard accepts all of them. */
  readonly links: readonly Link[];
  /** Translates a bracket path of the common form, such as `messages[1].content[0]`, to the caller's body. */
  placeOf(param: string): string;
}

/** The bracket path of a field in the body that the caller wrote. */
export function paramOf({ native }: Pick<ChatRequest, 'native'>, param: string): string {
  return native === null ? param : native.placeOf(param);
}

/** Checks the fields of a chat body and reports the first invalid one in document order. */
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
  // The schema admits only strings here.
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, String(value)]));
}

/** Rules between tools and tool_choice: names are unique (B-26), a forced choice must be possible (B-25). */
function checkTools({ tools, tool_choice: choice }: ChatFields): void {
  const names = new Set<string>();
  for (const [i, tool] of (tools ?? []).entries()) {
    const { name } = tool.function;
    if (names.has(name)) throw invalidParam(`tools[${i}].function.name`, 'Tool names must be different.');
    names.add(name);
  }
  if (choice === 'required' && names.size === 0) {
    throw invalidParam('tool_choice', 'tool_choice required needs at least one tool.');
  }
  if (typeof choice === 'object' && choice !== null && !names.has(choice.function.name)) {
    throw invalidParam('tool_choice', 'tool_choice must name one of the tools.');
  }
}
