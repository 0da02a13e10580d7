import type { ChatModel } from '../../../catalogue/chat-models.ts';
import type { JsonObject, ParsedBody } from '../../../http/parse-json.ts';
import type { ChatRequest } from '../../chat-request.ts';
import { firstIssue } from '../../first-issue.ts';
import { linksIn } from '../../links.ts';
import { bodySchema } from './body-schema.ts';
import { Conversation } from './conversation.ts';
import { configFields } from './generation-config.ts';
import { NativeOnlyFields } from './native-only-fields.ts';
import { givenPlaces, placeIn } from './places.ts';
import { snakeCase } from './spelling.ts';
import { toolsOf } from './tools.ts';

/** The members of a body that the gateway reads. */
const known = ['contents', 'systemInstruction', 'generationConfig', 'tools', 'toolConfig', 'model'];

/** Members that hold the caller's own values. Upstreams fetch no URL from them. */
const dataMembers: ReadonlySet<string> = new Set(
  ['args', 'response', 'parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema'].flatMap(
    (name) => [name, snakeCase(name)],
  ),
);

/**
 * Checks a body of compat path B and converts it to the common form, as far as possible. Reports the first invalid
 * field in document order. The path names the model; a model in the body is ignored.
 */
export function parseGenerateContentRequest(
  { value, exact }: ParsedBody,
  model: ChatModel,
  stream: boolean,
): ChatRequest {
  const parsed = bodySchema.safeParse(value);
  if (!parsed.success) throw firstIssue(parsed.error, value);
  const nativeOnly = new NativeOnlyFields();
  nativeOnly.addOthers(value, '', known);
  const conversation = new Conversation(exact, nativeOnly);
  const config = configFields(value, exact, nativeOnly);
  const fields = {
    model: model.id,
    messages: conversation.messages,
    ...toolsOf(exact, nativeOnly),
    ...config,
  };
  const given = givenPlaces(value);
  const maxTokens = config.max_tokens ?? null;
  const { model: _inPath, ...body } = exact;
  return {
    model,
    fields,
    stream,
    maxTokens,
    tags: null,
    given: new Set(given.keys()),
    exact: fields satisfies JsonObject,
    native: {
      dialect: 'generate-content',
      body,
      maxTokens,
      nativeOnly: nativeOnly.paths,
      links: linksIn(body, dataMembers),
      placeOf: (param) => placeIn(given, conversation, param),
    },
  };
}
