import { createHash } from 'node:crypto';
import { isErrorCode } from '../../oracle/error-table.ts';
import type { Variant } from '../mutant.ts';
import { everyError, everyObject, isObject, type JsonObject } from './rewrite.ts';

/** Gateways whose JSON looks different and says the same. */
export const bodyVariants: readonly Variant[] = [
  {
    id: 'body.reordered-keys',
    title: 'the members of every object come in the opposite order',
    mutation: everyObject((value) => reversed(value) as JsonObject),
  },
  {
    id: 'body.extra-members',
    title:
      'answers, choices, usage, chunks and errors have members of the gateway’s own beside the specified ones',
    mutation: everyObject(withExtras),
  },
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

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  );
}

function withExtras(value: JsonObject): JsonObject {
  const more = (item: unknown): unknown =>
    isObject(item) ? { x_trace: 'a1', ...item, x_region: null } : item;
  const each = (items: unknown): unknown => (Array.isArray(items) ? items.map(more) : items);
  return {
    x_service: { tier: 'standard', hints: [1, null, 'two'] },
    ...value,
    ...('choices' in value ? { choices: each(value.choices) } : {}),
    ...('data' in value ? { data: each(value.data) } : {}),
    ...(isObject(value.usage) ? { usage: { ...value.usage, x_seconds: 0.5 } } : {}),
    ...('error' in value ? { error: more(value.error) } : {}),
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function otherId(id: string): string {
  return `r:${createHash('sha256').update(id).digest('base64url').slice(0, 22)}`;
}
