import type { Body } from '../../../suites/rewrite/json.ts';
import { isJsonObject } from '../../../suites/values/json.ts';
import { refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that refuse legal values of chat fields, mostly at the ends of their ranges. */

const keys = (body: Body): string[] => Object.keys(isJsonObject(body.metadata) ? body.metadata : {});
const values = (body: Body): unknown[] => Object.values(isJsonObject(body.metadata) ? body.metadata : {});

export const strictFieldMutants: readonly Mutant[] = [
  front(
    ['chat.temperature-below-two', 'a temperature of exactly 2 is refused', 'CHAT-012', 'range-inside'],
    refuses((body) => body.temperature === 2, 'invalid_param', 'temperature'),
  ),
  front(
    [
      'chat.temperature-native-range',
      'one model takes temperatures up to 1 only, as its upstream does',
      'CHAT-012',
      'range-on-every-model',
    ],
    refuses(
      (body) => body.model === 'delta-3' && Number(body.temperature) > 1,
      'invalid_param',
      'temperature',
    ),
  ),
  front(
    ['chat.top-p-below-one', 'a top_p of exactly 1 is refused', 'CHAT-015', 'range-inside'],
    refuses((body) => body.top_p === 1, 'invalid_param', 'top_p'),
  ),
  front(
    ['chat.max-tokens-above-one', 'a max_tokens of 1 is refused', 'CHAT-020', 'range-inside'],
    refuses((body) => body.max_tokens === 1, 'invalid_param', 'max_tokens'),
  ),
  front(
    ['chat.stream-false-refused', 'stream may be true only', 'CHAT-023', 'accepts-legal'],
    refuses((body) => body.stream === false, 'invalid_param', 'stream'),
  ),
  front(
    ['chat.tools-refused', 'tools are refused', 'CHAT-025', 'accepts-legal'],
    refuses((body) => 'tools' in body, 'unsupported_capability'),
  ),
  front(
    ['chat.tool-choice-required-refused', 'tool_choice required is unknown', 'CHAT-027', 'strings-accepted'],
    refuses((body) => body.tool_choice === 'required', 'invalid_param', 'tool_choice'),
  ),
  front(
    ['chat.tool-choice-object-refused', 'tool_choice has to be a string', 'CHAT-028', 'object-accepted'],
    refuses(
      (body) => isJsonObject(body.tool_choice) && hasName(body.tool_choice),
      'invalid_param',
      'tool_choice',
    ),
  ),
  front(
    ['chat.json-object-refused', 'response_format json_object is unknown', 'CHAT-033', 'accepts-legal'],
    refuses(
      (body) => isJsonObject(body.response_format) && body.response_format.type === 'json_object',
      'invalid_param',
      'response_format',
    ),
  ),
  front(
    ['chat.stop-string-refused', 'stop has to be an array', 'CHAT-036', 'accepts-legal'],
    refuses((body) => typeof body.stop === 'string', 'invalid_param', 'stop'),
  ),
  front(
    ['chat.stop-three', 'only three stop sequences are accepted', 'CHAT-037', 'four-accepted'],
    refuses((body) => Array.isArray(body.stop) && body.stop.length === 4, 'invalid_param', 'stop'),
  ),
  front(
    ['chat.seed-zero-missing', 'a seed of 0 is refused', 'CHAT-039', 'accepts-legal'],
    refuses((body) => body.seed === 0, 'invalid_param', 'seed'),
  ),
  front(
    ['chat.user-ascii', 'user has to be ASCII', 'CHAT-041', 'accepts-legal'],
    refuses((body) => /[^ -~]/.test(String(body.user ?? '')), 'invalid_param', 'user'),
  ),
  front(
    ['chat.metadata-not-empty', 'empty metadata is refused', 'CHAT-043', 'accepts-legal'],
    refuses((body) => isJsonObject(body.metadata) && keys(body).length === 0, 'invalid_param', 'metadata'),
  ),
  front(
    ['chat.metadata-fifteen', 'only fifteen metadata keys are accepted', 'CHAT-044', 'sixteen-accepted'],
    refuses((body) => keys(body).length === 16, 'invalid_param', 'metadata'),
  ),
  front(
    [
      'chat.metadata-sixty-three',
      'metadata keys and values of 64 characters are refused',
      'CHAT-045',
      'sixty-four-accepted',
    ],
    refuses(
      (body) => [...keys(body), ...values(body)].some((text) => String(text).length === 64),
      'invalid_param',
      'metadata',
    ),
  ),
  front(
    ['chat.metadata-bytes', 'the length of metadata is counted in bytes', 'CHAT-046', 'characters-not-bytes'],
    refuses(
      (body) => [...keys(body), ...values(body)].some((text) => Buffer.byteLength(String(text)) > 64),
      'invalid_param',
      'metadata',
    ),
  ),
];

function hasName(choice: Body): boolean {
  return (
    choice.type === 'function' && isJsonObject(choice.function) && typeof choice.function.name === 'string'
  );
}
