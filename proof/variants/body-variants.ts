import { createHash } from 'node:crypto';
import { isErrorCode } from '../../suites/oracle/error-table.ts';
import type { Variant } from '../edits/mutant.ts';
import { messagesOf, takes } from './requests.ts';
import { everyError, everyObject, isObject, type JsonObject } from './rewrite.ts';

/** Gateways with different JSON of the same meaning. */
export const bodyVariants: readonly Variant[] = [
  {
    id: 'body.reordered-keys',
    title: 'the members of every object come in the opposite order',
    mutation: everyObject((value) => reversed(value) as JsonObject),
  },
  {
    id: 'body.extra-members',
    title:
      'answers, choices, messages, deltas, tool calls, usage and errors have members of the gateway’s own beside the specified ones',
    mutation: { ...everyObject(withExtras), ...takes(withoutOwnMembers) },
  },
  {
    id: 'body.null-members',
    title: 'members that have nothing to say are null where the reference leaves them out',
    mutation: everyObject(withNulls),
  },
  {
    id: 'body.empty-text-beside-calls',
    title: 'the content beside tool calls is an empty text and not null (TOOL-007)',
    mutation: everyObject(withEmptyText),
  },
  {
    id: 'usage.idle-details-left-out',
    title: 'prompt_tokens_details is left out where nothing was cached (B-37)',
    mutation: everyObject(withoutIdleDetails),
  },
  {
    id: 'body.other-ids',
    title: 'ids of completions have a form of their own',
    mutation: everyObject((value) =>
      typeof value.id === 'string' ? { ...value, id: otherId(value.id) } : value,
    ),
  },
  {
    id: 'error.other-wording',
    title: 'the messages of errors are in another language and name no field',
    mutation: everyError((error) => ({
      ...error,
      message: 'Das geht so nicht: bitte prüfen Sie Ihre Anfrage.',
    })),
  },
  {
    id: 'error.other-codes-beyond-table',
    title: 'conditions that the error table does not list have other codes (B-03)',
    mutation: everyError((error) =>
      typeof error.code === 'string' && !isErrorCode(error.code)
        ? { ...error, code: `http_${error.code}` }
        : error,
    ),
  },
  {
    id: 'error.null-members-left-out',
    title: 'channel and param are left out where they would be null (B-06)',
    advised: ['ERR-006 channel-present', 'ERR-007 param-present'],
    mutation: everyError((error) =>
      Object.fromEntries(Object.entries(error).filter(([, value]) => value !== null)),
    ),
  },
  {
    id: 'error.dotted-param',
    title: 'param writes indexes with dots instead of brackets (B-05)',
    mutation: everyError((error) =>
      typeof error.param === 'string'
        ? { ...error, param: error.param.replaceAll(/\[(\d+)\]/g, '.$1') }
        : error,
    ),
  },
];

/** Gateways that format their JSON differently. They come last, because variants that change content format it again. */
export const writerVariants: readonly Variant[] = [
  {
    id: 'body.pretty-printed',
    title: 'JSON is written with spaces and, outside streams, over several lines',
    mutation: everyObject(
      (value) => value,
      (value) => JSON.stringify(value, null, 2),
    ),
  },
  {
    id: 'body.escaped',
    title: 'every character beyond ASCII is written as an escape',
    mutation: everyObject(
      (value) => value,
      (value) => JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, escaped),
    ),
  },
];

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  );
}

/**
 * Members unknown to the specification, at every depth: answer, choices, messages, deltas, calls, counts, entries and errors.
 */
function withExtras(value: JsonObject): JsonObject {
  const choice = (item: JsonObject): JsonObject => ({
    ...more(item),
    ...within(item, 'message', said),
    ...within(item, 'delta', said),
  });
  return {
    x_service: { tier: 'standard', hints: [1, null, 'two'] },
    ...value,
    ...each(value, 'choices', choice),
    ...each(value, 'data', more),
    ...within(value, 'usage', (usage) => ({
      ...usage,
      x_seconds: 0.5,
      ...within(usage, 'prompt_tokens_details', more),
    })),
    ...within(value, 'error', (error) => ({ ...more(error), x_request: nextRequest() })),
  };
}

let lastRequest = 204_928_114_193;

/** Errors name their request, each another one. */
function nextRequest(): string {
  lastRequest += 7_919;
  return `req-${lastRequest}`;
}

function more(item: JsonObject): JsonObject {
  return { x_trace: 'a1', ...item, x_region: null };
}

/**
 * A message or delta. Its calls return in the history, so their additional members need names that can be
 * recognised.
 */
function said(turn: JsonObject): JsonObject {
  const call = (item: JsonObject): JsonObject => ({ ...more(item), ...within(item, 'function', more) });
  return { ...more(turn), ...each(turn, 'tool_calls', call) };
}

/** Changes the member if it is an object. */
function within(object: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const item = object[name];
  return isObject(item) ? { [name]: change(item) } : {};
}

/** Changes each object of the member if it is a list. */
function each(object: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const items = object[name];
  return Array.isArray(items) ? { [name]: items.map((item) => (isObject(item) ? change(item) : item)) } : {};
}

/** A gateway that adds members to a call must accept them back in the history. */
function withoutOwnMembers(body: JsonObject): boolean {
  const calls = messagesOf(body)
    .flatMap((message) => (Array.isArray(message.tool_calls) ? (message.tool_calls as unknown[]) : []))
    .filter(isObject);
  const parts = [...messagesOf(body), ...calls, ...calls.map((call) => call.function).filter(isObject)];
  const own = parts.filter((part) => 'x_trace' in part);
  for (const part of own) for (const name of ['x_trace', 'x_region']) delete part[name];
  return own.length > 0;
}

/** Members without a value are null instead of absent. */
function withNulls(value: JsonObject): JsonObject {
  const choice = (item: JsonObject): JsonObject => ({
    logprobs: null,
    ...item,
    ...within(item, 'message', (message) => ({ tool_calls: null, refusal: null, ...message })),
  });
  return { system_fingerprint: null, ...value, ...each(value, 'choices', choice) };
}

/** Usage without the cache details when they are zero. */
function withoutIdleDetails(value: JsonObject): JsonObject {
  return {
    ...value,
    ...within(value, 'usage', ({ prompt_tokens_details: details, ...counts }) => {
      const idle = isObject(details) && Object.values(details).every((count) => count === 0);
      return idle
        ? counts
        : { ...counts, ...(details === undefined ? {} : { prompt_tokens_details: details }) };
    }),
  };
}

/** An empty text instead of null in messages with tool calls. */
function withEmptyText(value: JsonObject): JsonObject {
  const filled = (message: JsonObject): JsonObject => ({ ...message, content: message.content ?? '' });
  return { ...value, ...each(value, 'choices', (item) => ({ ...item, ...within(item, 'message', filled) })) };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function otherId(id: string): string {
  return `r:${createHash('sha256').update(id).digest('base64url').slice(0, 22)}`;
}
