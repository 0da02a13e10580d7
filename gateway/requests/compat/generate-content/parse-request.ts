import type { ChatModel } from '../../../catalogue/chat-models.ts';
import type { JsonObject, ParsedBody } from '../../../http/parse-json.ts';
import type { ChatRequest } from '../../chat-request.ts';
import { firstFault } from '../../first-fault.ts';
import { Beyond } from './beyond.ts';
import { bodySchema } from './body-schema.ts';
import { Conversation } from './conversation.ts';
import { configFields } from './generation-config.ts';
import { givenPlaces, placeIn } from './places.ts';
import { toolsOf } from './tools.ts';

/** What this reads of a body. */
const known = ['contents', 'systemInstruction', 'generationConfig', 'tools', 'toolConfig', 'model'];

/**
 * Checks a body of compat path B and says the same in our words, as far as they go. The first fault in the order of the
 * document is the one reported. The model stands in the path: one in the body counts for nothing.
 */
export function parseGenerateContentRequest(
  { value, exact }: ParsedBody,
  model: ChatModel,
  stream: boolean,
): ChatRequest {
  const parsed = bodySchema.safeParse(value);
  if (!parsed.success) throw firstFault(parsed.error, value);
  const beyond = new Beyond();
  beyond.addOthers(value, '', known);
  const { messages, places } = new Conversation(exact, beyond);
  const config = configFields(value, exact, beyond);
  const fields = { model: model.id, messages, ...toolsOf(exact, beyond), ...config };
  const given = givenPlaces(value);
  const allPlaces = new Map([...given, ...places]);
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
      beyond: beyond.paths,
      placeOf: (param) => placeIn(allPlaces, param),
    },
  };
}
