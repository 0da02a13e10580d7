import { chatFields } from '../../../suites/oracle/chat-fields.ts';
import { absent } from '../../../suites/oracle/json-text.ts';
import type { Body } from '../../../suites/rewrite/json.ts';
import { editAnswer } from '../../../suites/rewrite/mutation.ts';
import { isJsonObject } from '../../../suites/values/json.ts';
import { inRequests, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that accept illegal fields of a chat request, or mishandle open ones. */

const keys = (body: Body): string[] => Object.keys(isJsonObject(body.metadata) ? body.metadata : {});
const values = (body: Body): unknown[] => Object.values(isJsonObject(body.metadata) ? body.metadata : {});

export const kind: readonly Mutant[] = [
  front(
    ['chat.model-default', 'a missing model is filled in', 'CHAT-003', 'required'],
    inRequests((body) => {
      body.model ??= 'alpha-5-2';
    }),
  ),
  front(
    ['chat.model-any-type', 'a model of another type counts as the default model', 'CHAT-004', 'type'],
    inRequests((body) => {
      if ('model' in body && (typeof body.model !== 'string' || body.model === '')) body.model = 'alpha-5-2';
    }),
  ),
  front(
    ['chat.messages-default', 'missing messages are an empty conversation', 'CHAT-008', 'required'],
    inRequests((body) => {
      body.messages ??= [{ role: 'user', content: '.' }];
    }),
  ),
  front(
    ['chat.messages-string', 'messages of another form count as one user message', 'CHAT-009', 'type'],
    inRequests((body) => {
      if ('messages' in body && !isMessageList(body.messages))
        body.messages = [{ role: 'user', content: '.' }];
    }),
  ),
  front(
    ['chat.temperature-clamped', 'a temperature out of range is clamped', 'CHAT-012', 'range-outside'],
    inRequests((body) => {
      if (typeof body.temperature === 'number') body.temperature = Math.min(2, Math.max(0, body.temperature));
    }),
  ),
  front(
    ['chat.temperature-coerced', 'a temperature of another type is converted', 'CHAT-011', 'type'],
    inRequests((body) => {
      if (body.temperature !== null && typeof body.temperature !== 'number') delete body.temperature;
    }),
  ),
  front(
    ['chat.top-p-coerced', 'a top_p of another type is converted', 'CHAT-015', 'type'],
    inRequests((body) => {
      if (typeof body.top_p !== 'number') delete body.top_p;
    }),
  ),
  front(
    ['chat.max-tokens-coerced', 'a max_tokens of another type is converted', 'CHAT-019', 'type'],
    inRequests((body) => {
      if (!Number.isInteger(body.max_tokens)) delete body.max_tokens;
    }),
  ),
  front(
    ['chat.max-tokens-negative', 'a negative max_tokens means no limit', 'CHAT-020', 'range-outside'],
    inRequests((body) => {
      if (Number(body.max_tokens) < 0) delete body.max_tokens;
    }),
  ),
  front(
    ['chat.stream-truthy', 'whatever is truthy streams', 'CHAT-023', 'type'],
    inRequests((body) => {
      if ('stream' in body) body.stream = Boolean(body.stream);
    }),
  ),
  front(
    ['chat.tools-any-form', 'tools of another form are ignored', 'CHAT-025', 'type'],
    inRequests((body) => {
      if (!Array.isArray(body.tools) || !body.tools.every(isJsonObject)) delete body.tools;
    }),
  ),
  front(
    ['chat.tool-choice-other-words', 'an unknown tool_choice counts as auto', 'CHAT-027', 'enum'],
    inRequests((body) => {
      if (!isJsonObject(body.tool_choice) && !['none', 'auto', 'required'].includes(String(body.tool_choice)))
        delete body.tool_choice;
    }),
  ),
  front(
    [
      'chat.tool-choice-half-named',
      'a tool_choice object without a function name counts as auto',
      'CHAT-028',
      'object-form',
    ],
    inRequests((body) => {
      if (isJsonObject(body.tool_choice) && !hasName(body.tool_choice)) delete body.tool_choice;
    }),
  ),
  front(
    ['chat.response-format-string', 'response_format of another type counts as its type', 'CHAT-033', 'type'],
    inRequests((body) => {
      if (!isJsonObject(body.response_format) || typeof body.response_format.type !== 'string')
        delete body.response_format;
    }),
  ),
  front(
    [
      'chat.response-format-any-type',
      'an unknown response_format counts as text',
      'CHAT-033',
      'unknown-type',
    ],
    inRequests((body) => {
      if (
        isJsonObject(body.response_format) &&
        typeof body.response_format.type === 'string' &&
        body.response_format.type !== 'json_object'
      )
        delete body.response_format;
    }),
  ),
  front(
    ['chat.stop-five', 'stop sequences beyond the fourth are dropped', 'CHAT-037', 'more-than-four'],
    inRequests((body) => {
      if (Array.isArray(body.stop)) body.stop = body.stop.slice(0, 4);
    }),
  ),
  front(
    ['chat.stop-any-type', 'stop of another type is ignored', 'CHAT-036', 'type'],
    inRequests((body) => {
      if (![body.stop].flat().every((stop) => typeof stop === 'string')) delete body.stop;
    }),
  ),
  front(
    ['chat.seed-coerced', 'a seed of another type is converted', 'CHAT-039', 'type'],
    inRequests((body) => {
      if (!Number.isInteger(body.seed)) delete body.seed;
    }),
  ),
  front(
    ['chat.user-coerced', 'a user of another type becomes a string', 'CHAT-041', 'type'],
    inRequests((body) => {
      if ('user' in body) body.user = String(body.user);
    }),
  ),
  front(
    ['chat.metadata-any-type', 'metadata of another type is ignored', 'CHAT-043', 'type'],
    inRequests((body) => {
      if (!isJsonObject(body.metadata)) delete body.metadata;
    }),
  ),
  front(
    [
      'chat.metadata-uncounted',
      'metadata keys beyond the sixteenth are dropped',
      'CHAT-044',
      'more-than-sixteen',
    ],
    inRequests((body) => {
      if (keys(body).length > 16) body.metadata = {};
    }),
  ),
  front(
    ['chat.metadata-key-cut', 'long metadata keys are cut', 'CHAT-045', 'key-too-long'],
    inRequests((body) => {
      if (keys(body).some((key) => key.length > 64)) body.metadata = {};
    }),
  ),
  front(
    [
      'chat.metadata-value-cut',
      'long metadata values are cut, though declared as refused',
      'CHAT-045',
      'declared-value-length',
    ],
    inRequests((body) => {
      if (values(body).some((value) => String(value).length > 64)) body.metadata = {};
    }),
  ),
];

export const nameless: readonly Mutant[] = [
  front(
    ['chat.param-null', 'a refused field is not named', 'CHAT-049', 'param'],
    renamed(() => null),
  ),
];

/**
 * Passes open values to the upstream unchecked, and reports its rejection as an upstream failure. Every rule with open values
 * has one, even if a separate check has its own mutant.
 */
export const unclean: readonly Mutant[] = chatFields.flatMap((field) => {
  const open = field.cells.filter((cell) => cell.verdict === 'open' && cell.value !== absent);
  return [...new Set(open.map((cell) => cell.requirement))].map((requirement) => {
    const written = (value: unknown, tools: boolean): string => JSON.stringify([value, tools]);
    const odd = open
      .filter((cell) => cell.requirement === requirement)
      .map((cell) =>
        written(
          JSON.parse(JSON.stringify(cell.value)),
          'tools' in (cell.beside ?? {}) || field.name === 'tools',
        ),
      );
    const id = `chat.unclean-${field.name.replaceAll('_', '-')}-${requirement.slice(-3)}`;
    const title = `values of ${field.name} that the text leaves open end as failures of the upstream`;
    return front(
      [id, title, requirement, 'clean-either-way'],
      refuses(
        (body) => field.name in body && odd.includes(written(body[field.name], 'tools' in body)),
        'upstream_error',
      ),
    );
  });
});

function renamed(rename: () => string | null): { answer: ReturnType<typeof editAnswer> } {
  return {
    answer: editAnswer((body) => {
      const { error } = body;
      if (isJsonObject(error) && error.code === 'invalid_param') error.param = rename();
    }),
  };
}

function hasName(choice: Body): boolean {
  return (
    choice.type === 'function' && isJsonObject(choice.function) && typeof choice.function.name === 'string'
  );
}

function isMessageList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}
