import { type Body, objectsIn, upstream } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import type { Mutation } from '../../../mutation/mutation.ts';
import {
  configIn,
  eventsOf,
  fromUpstream,
  nativeBlocks,
  nativeParts,
  toUpstream,
} from '../../../mutation/native-edits.ts';
import { source } from '../../../mutation/refusal-defects.ts';

/** Gateways that lose, cut or misname a part of what they translate, where it is long, odd or comes twice. */

/** Changes the requests for streams of the generate-content dialect alone. */
function streamed(edit: (body: Body) => void): Mutation {
  const { request: change } = toUpstream('generate-content', edit);
  return {
    request: (request) =>
      request.path.includes(':streamGenerateContent') && change ? change(request) : request,
  };
}

const requestsWritten: readonly Mutant[] = [
  upstream(
    [
      'tool.generate-result-misnamed',
      'a tool result in a generate-content request has the id of its call for a name',
      'TOOL-014',
      'results-by-id',
    ],
    toUpstream('generate-content', (body) => {
      for (const { functionResponse } of nativeParts(body, 'functionResponse')) {
        const result = functionResponse as Body;
        result.name = result.id;
      }
    }),
  ),
  upstream(
    [
      'chat.messages-second-system-block-lost',
      'of the blocks of a system message the first is passed on in a messages request',
      'CHAT-010',
      'turn-content',
    ],
    toUpstream('messages', (body) => {
      if (Array.isArray(body.system)) body.system = objectsIn(body.system).slice(0, 1);
    }),
  ),
  upstream(
    [
      'chat.messages-text-after-result-lost',
      'what a user says right after tool results is not passed on in a messages request',
      'CHAT-010',
      'turn-order',
    ],
    toUpstream('messages', (body) => {
      for (const message of objectsIn(body.messages)) {
        const content = objectsIn(message.content);
        const results = content.filter((block) => block.type === 'tool_result');
        if (results.length > 0 && message !== objectsIn(body.messages).at(-1)) message.content = results;
      }
    }),
  ),
  upstream(
    [
      'chat.generate-json-beside-tools-lost',
      'response_format is not passed on in a generate-content request with tools',
      'CHAT-050',
      'forwards-response-format',
    ],
    toUpstream('generate-content', (body) => {
      if (body.tools !== undefined) delete configIn(body).responseMimeType;
    }),
  ),
  upstream(
    [
      'chat.generate-schema-not-streamed',
      'the schema of response_format is not passed on for a generate-content stream',
      'CHAT-050',
      'forwards-schema',
    ],
    streamed((body) => delete configIn(body).responseJsonSchema),
  ),
  upstream(
    [
      'chat.generate-schema-all-optional',
      'what the schema of response_format requires is not said in a generate-content request',
      'CHAT-050',
      'forwards-schema',
    ],
    toUpstream('generate-content', (body) => {
      const schema = configIn(body).responseJsonSchema as Body | undefined;
      delete schema?.required;
    }),
  ),
  upstream(
    [
      'tool.messages-description-cut',
      'descriptions of functions are cut after 1024 characters in a messages request',
      'TOOL-019',
      'definitions-exact',
    ],
    toUpstream('messages', (body) => {
      for (const tool of objectsIn(body.tools))
        if (typeof tool.description === 'string') tool.description = tool.description.slice(0, 1024);
    }),
  ),
  upstream(
    [
      'msg.generate-link-called-jpeg',
      'whatever an address leads to is called JPEG in a generate-content request',
      'MSG-022',
      'link-intact',
    ],
    toUpstream('generate-content', (body) => {
      for (const { fileData } of nativeParts(body, 'fileData')) (fileData as Body).mimeType = 'image/jpeg';
    }),
  ),
  upstream(
    [
      'msg.messages-link-with-query-is-image',
      'an address with a query leads to an image in a messages request, whatever its path ends in',
      'MSG-023',
      'link-intact',
    ],
    toUpstream('messages', (body) => {
      for (const type of ['document', 'video', 'audio'])
        for (const block of nativeBlocks(body, type))
          if (String((block.source as Body).url).includes('?')) block.type = 'image';
    }),
  ),
  source(
    [
      'tool.generate-name-not-put-back',
      'a function that has another name at its upstream is called by that one',
      'TOOL-005',
      'name-exact',
    ],
    'upstreams/generate-content/function-calls.ts',
    'this.#givenNames.get(name) ?? name',
    'name',
  ),
  source(
    [
      'tool.generate-history-own-name',
      'a function of the history keeps its name where its definition has lost it',
      'CHAT-010',
      'turn-content',
    ],
    'requests/native-body/generate-content/contents.ts',
    'functionCall: { id, name: names.native(name),',
    'functionCall: { id, name,',
  ),
  source(
    [
      'tool.generate-choice-own-name',
      'a chosen function keeps its name where its definition has lost it',
      'TOOL-005',
      'names-accepted',
    ],
    'requests/native-body/generate-content.ts',
    '[names.native(choice.function.name)]',
    '[choice.function.name]',
  ),
];

/** Cuts a text after so many characters. */
const cutTo =
  (length: number, name: string) =>
  (holder: Body): void => {
    if (typeof holder[name] === 'string') holder[name] = holder[name].slice(0, length);
  };

const sizes: readonly Mutant[] = [
  upstream(
    [
      'msg.generate-text-cut',
      'a text is cut at 150000 characters in a generate-content request',
      'MSG-007',
      'text-exact',
    ],
    toUpstream('generate-content', (body) => nativeParts(body, 'text').forEach(cutTo(150_000, 'text'))),
  ),
  upstream(
    [
      'chat.messages-result-cut',
      'the result of a tool is cut after 10000 characters in a messages request',
      'CHAT-010',
      'turn-content',
    ],
    toUpstream('messages', (body) => nativeBlocks(body, 'tool_result').forEach(cutTo(10_000, 'content'))),
  ),
  upstream(
    [
      'chat.generate-results-composed',
      'characters in the result of a tool are composed in a generate-content request',
      'CHAT-010',
      'turn-content',
    ],
    toUpstream('generate-content', (body) => {
      for (const { functionResponse } of nativeParts(body, 'functionResponse')) {
        const result = functionResponse as Body;
        result.response = JSON.parse(JSON.stringify(result.response).normalize('NFC')) as unknown;
      }
    }),
  ),
  upstream(
    [
      'tool.messages-long-fragments-ascii',
      'a long fragment of arguments in a messages stream loses what is not ASCII',
      'TOOL-018',
      'arguments-exact',
    ],
    eventsOf('messages', (event) => {
      const delta = event.delta as Body | undefined;
      const text = delta?.type === 'input_json_delta' ? String(delta.partial_json) : '';
      if (text.length <= 4096) return [event];
      const bare = text.replaceAll(/[^ -~]/g, '?');
      return [{ ...event, delta: { ...delta, partial_json: bare } }];
    }),
  ),
  upstream(
    [
      'tool.generate-long-arguments-lost',
      'long arguments of a call in a generate-content answer are left out',
      'TOOL-011',
      'arguments-exact',
    ],
    fromUpstream('generate-content', (response) => {
      for (const { functionCall } of nativeParts(response, 'functionCall')) {
        const call = functionCall as Body;
        if (JSON.stringify(call.args ?? {}).length > 4096) call.args = {};
      }
    }),
  ),
  upstream(
    [
      'resp.messages-written-total-unread',
      'of what was written to a cache only the share of each slot is read',
      'RESP-018',
      'total-includes-cache',
    ],
    fromUpstream('messages', (part) => {
      const usage = (part.usage ?? (part.message as Body | undefined)?.usage) as Body | undefined;
      if (usage && usage.cache_creation === undefined) delete usage.cache_creation_input_tokens;
    }),
  ),
];

const conversations: readonly Mutant[] = [
  upstream(
    [
      'chat.generate-first-of-users-lost',
      'of two user messages in a row the last is passed on in a generate-content request',
      'CHAT-010',
      'turn-content',
    ],
    toUpstream('generate-content', (body) => {
      const contents = objectsIn(body.contents);
      body.contents = contents.filter(
        ({ role }, index) => role !== 'user' || contents[index + 1]?.role !== 'user',
      );
    }),
  ),
  upstream(
    [
      'chat.messages-first-of-answers-lost',
      'of two assistant turns in a row the last is passed on in a messages request',
      'CHAT-010',
      'turn-content',
    ],
    toUpstream('messages', (body) => {
      const turns = objectsIn(body.messages);
      body.messages = turns.filter(
        ({ role }, index) => role !== 'assistant' || turns[index + 1]?.role !== 'assistant',
      );
    }),
  ),
  upstream(
    [
      'chat.messages-json-beats-none',
      'where JSON is forced by a tool in a messages request, tool_choice none is forgotten',
      'CHAT-029',
      'none-forbids',
    ],
    toUpstream('messages', (body) => {
      const tools = objectsIn(body.tools);
      const choice = body.tool_choice as Body | undefined;
      if (tools.length > 1 && choice?.type === 'tool' && choice.name === tools.at(-1)?.name)
        body.tool_choice = { type: 'any' };
    }),
  ),
];

export const nativeLossMutants: readonly Mutant[] = [...requestsWritten, ...sizes, ...conversations];
