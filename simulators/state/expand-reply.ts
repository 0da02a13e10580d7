import type { Reply } from '../control/protocol.ts';
import { isObject, valueAt } from '../json/json-body.ts';
import { turnNumber, userText } from '../requests/decode-request.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import { headerOf } from '../requests/selectors.ts';

/** The members of a reply that may have placeholders. */
const quoting = ['text', 'reasoning', 'deltas', 'tool_calls', 'headers', 'body', 'error', 'events'] as const;

const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g;

/**
 * The reply with `{{…}}` filled in from the request: `model`, `text` (of the user), `turn`, `match.1` or `match.name`,
 * `header.name`, `body.path.to.member`. Any other placeholder stays unchanged. In arguments of calls, which are JSON, texts are
 * escaped.
 */
export function expandReply(
  reply: Reply,
  request: RequestFacts,
  captured: Readonly<Record<string, string>>,
): Reply {
  const given = quoting.filter((name) => reply[name] !== undefined);
  if (!given.some((name) => JSON.stringify(reply[name]).includes('{{'))) return reply;
  const fill = (text: string, isJson: boolean): string =>
    text.replaceAll(placeholder, (all: string, name: string) => {
      const value = quoted(name, request, captured);
      if (typeof value !== 'string') return value === undefined ? all : JSON.stringify(value);
      return isJson ? JSON.stringify(value).slice(1, -1) : value;
    });
  return {
    ...reply,
    ...Object.fromEntries(given.map((name) => [name, inStrings(reply[name], fill)])),
  };
}

function quoted(name: string, request: RequestFacts, captured: Readonly<Record<string, string>>): unknown {
  const [first = '', ...rest] = name.split('.');
  switch (first) {
    case 'model':
      return request.model ?? '';
    case 'text':
      return userText(request.said);
    case 'turn':
      return String(turnNumber(request.said));
    case 'match':
      return captured[rest.join('.')];
    case 'header':
      return headerOf(request, rest.join('.'));
    case 'body':
      return valueAt(
        request.json,
        rest.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      );
    default:
      return undefined;
  }
}

function inStrings(value: unknown, fill: (text: string, isJson: boolean) => string, isJson = false): unknown {
  if (typeof value === 'string') return fill(value, isJson);
  if (Array.isArray(value)) return value.map((one) => inStrings(one, fill));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, inStrings(inner, fill, name === 'arguments')]),
  );
}
