import { chatCatalogue, otherModels } from '../../suites/oracle/chat-catalogue.ts';
import { chatFields } from '../../suites/oracle/chat-fields.ts';
import { objectIn } from '../../suites/rewrite/json.ts';
import type { Variant } from '../edits/mutant.ts';
import { isOneOf, isOtherMedia, mediaIn, messagesOf, type Refusal, refusalOf, refuses } from './requests.ts';
import { isObject, type JsonObject } from './rewrite.ts';

const invalid = (param: string): Refusal => ['invalid_param', param];

/**
 * Gateways that refuse what the reference accepts, or with another code, each in one point that a reading
 * leaves open.
 */
export const strictReadings: readonly Variant[] = [
  {
    id: 'refuses.fields-before-models',
    title: 'the fields of a request are read before its model is looked up (B-04)',
    mutation: refuses(({ model, temperature }) => {
      const isKnown = chatCatalogue.some(({ id }) => id === model) || isOneOf(model, otherModels);
      const isFaulty = typeof temperature === 'number' && (temperature < 0 || temperature > 2);
      return !isKnown && isFaulty ? invalid('temperature') : null;
    }),
  },
  {
    id: 'refuses.null-for-absent',
    title: 'null on an optional field is refused (B-07)',
    mutation: refuses((body) => first(optional.filter((name) => body[name] === null))),
  },
  {
    id: 'refuses.integers-with-a-point',
    title: 'an integer written with a decimal point is refused (B-07)',
    mutation: refuses((_, text) => first([/"(max_tokens|seed)":\s*-?\d+\.0+\s*[,}]/.exec(text)?.[1]])),
  },
  {
    id: 'refuses.common-extras',
    title: 'no field beyond the chat table is taken, however common (B-11)',
    mutation: refuses((body) => first(Object.keys(body).filter((name) => extras.includes(name)))),
  },
  {
    id: 'refuses.both-samplings',
    title: 'temperature and top_p exclude each other (B-12)',
    mutation: refuses(({ temperature = null, top_p = null }) =>
      temperature !== null && top_p !== null ? invalid('top_p') : null,
    ),
  },
  {
    id: 'refuses.top-p-zero',
    title: 'top_p has to be above 0 (B-13)',
    mutation: refuses(({ top_p }) => (top_p === 0 ? invalid('top_p') : null)),
  },
  {
    id: 'refuses.empty-stop-list',
    title: 'an empty list of stop texts is refused (B-17)',
    mutation: refuses(({ stop }) => (Array.isArray(stop) && stop.length === 0 ? invalid('stop') : null)),
  },
  {
    id: 'refuses.odd-seeds',
    title: 'seeds are not negative and not beyond 2^53 (B-20)',
    mutation: refuses(({ seed }) =>
      typeof seed === 'number' && Number.isInteger(seed) && !(seed >= 0 && Number.isSafeInteger(seed))
        ? invalid('seed')
        : null,
    ),
  },
  {
    id: 'refuses.text-format',
    title: 'json_object is the only response_format beside schemas (B-21)',
    mutation: refuses(({ response_format: format }) =>
      isObject(format) && (format.type ?? 'text') === 'text' ? invalid('response_format') : null,
    ),
  },
  {
    id: 'refuses.unusual-endings',
    title: 'a conversation ends with the user or with a tool result (B-22)',
    mutation: refuses((body) =>
      isOneOf(messagesOf(body).at(-1)?.role, ['system', 'assistant']) ? invalid('messages') : null,
    ),
  },
  {
    id: 'refuses.system-blocks',
    title: 'system content is a string on every model (B-23)',
    mutation: refuses((body) => {
      const blocks = messagesOf(body).some(
        ({ role, content }) => role === 'system' && Array.isArray(content),
      );
      return blocks ? invalid('messages') : null;
    }),
  },
  {
    id: 'refuses.choice-without-tools',
    title: 'a tool_choice needs tools, and tools are at least one (B-25, B-26)',
    mutation: refuses(({ tools = null, tool_choice: choice = null }) => {
      if (Array.isArray(tools) && tools.length === 0) return invalid('tools');
      return tools === null && (choice === 'none' || choice === 'auto') ? invalid('tool_choice') : null;
    }),
  },
  {
    id: 'refuses.sparse-tools',
    title: 'a tool has to come with a description and with parameters that name a type (B-26)',
    mutation: refuses(({ tools }) => {
      const sparse = (Array.isArray(tools) ? (tools as unknown[]) : [])
        .map((tool) => (isObject(tool) && isObject(tool.function) ? tool.function : null))
        .some((described) => described !== null && isSparse(described));
      return sparse ? invalid('tools') : null;
    }),
  },
  {
    id: 'refuses.media-as-param',
    title: 'media that a model with Vision cannot take are the fault of the message (B-27)',
    mutation: refuses((body) => {
      const few = isOneOf(body.model, ['alpha-5-2', 'alpha-5-pro', 'gamma-3-flash']);
      return few && mediaIn(body).some(({ url }) => isOtherMedia(url)) ? invalid('messages') : null;
    }),
  },
  {
    id: 'refuses.cache-hints',
    title: 'a cache hint on a model without Cache asks for a capability that it lacks (B-29)',
    mutation: refuses((body) => {
      const lacks = chatCatalogue.some((model) => model.id === body.model && !model.cache);
      return lacks && hasHint(body) ? ['unsupported_capability', 'messages'] : null;
    }),
  },
  {
    id: 'refuses.other-kinds-as-param',
    title: 'the id of a model of another kind is a wrong value (B-31)',
    mutation: refuses(({ model }) => (isOneOf(model, otherModels) ? invalid('model') : null)),
  },
  {
    id: 'refuses.blank-model-as-unknown',
    title: 'an empty model gets model_not_found (B-32)',
    mutation: refuses(({ model }) => (model === '' ? ['model_not_found', 'model'] : null)),
  },
  {
    id: 'refuses.filtered-output',
    title: 'an answer that the upstream cut for its content is refused whole (B-38)',
    mutation: {
      answer: (answer) => {
        const choices = objectIn(answer.body)?.choices;
        const filtered = (Array.isArray(choices) ? (choices as unknown[]) : [])
          .filter(isObject)
          .some((choice) => choice.finish_reason === 'content_filter');
        return filtered ? refusalOf(['content_filter', null]) : answer;
      },
    },
  },
];

/** Fields that the chat table calls optional. */
const optional: readonly string[] = chatFields
  .map((field) => field.name)
  .filter((name) => name !== 'model' && name !== 'messages');

const extras: readonly string[] = [
  'stream_options',
  'n',
  'parallel_tool_calls',
  'frequency_penalty',
  'presence_penalty',
  'logprobs',
];

/** Refuses the first of the fields that is present. */
function first([name]: readonly (string | undefined)[]): Refusal | null {
  return name === undefined ? null : invalid(name);
}

function isSparse({ name, description, parameters }: JsonObject): boolean {
  const typed = isObject(parameters) && typeof parameters.type === 'string';
  return (
    typeof name === 'string' &&
    name !== '' &&
    ((description ?? '') === '' || (parameters ?? null) === null || (isObject(parameters) && !typed))
  );
}

/** Whether a message, one of its blocks or a tool has a cache hint. */
function hasHint(body: JsonObject): boolean {
  const listed = (value: unknown): JsonObject[] =>
    (Array.isArray(value) ? (value as unknown[]) : []).filter(isObject);
  const messages = listed(body.messages);
  const places = [
    ...messages,
    ...messages.flatMap((message) => listed(message.content)),
    ...listed(body.tools),
  ];
  return places.some((place) => (place.cache_control ?? null) !== null);
}
