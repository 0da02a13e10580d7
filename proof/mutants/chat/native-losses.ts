import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { upstream } from '../../edits/mutant.ts';
import { configIn, nativeParts, toUpstream } from '../../edits/native-edits.ts';

/** Gateways that lose, cut or rename long, odd or repeated parts when they translate. */

/** Changes only requests for streams of the generate-content dialect. */
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
];

const sizes: readonly Mutant[] = [
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
];

const conversations: readonly Mutant[] = [
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
