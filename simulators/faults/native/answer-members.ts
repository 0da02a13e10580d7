import { type ChatDialectName, chatDialect, type DialectName } from '../../answers/native-answer.ts';
import { isObject } from '../../json/json-body.ts';
import type { JsonObject } from './answer-json.ts';

/** The members that hold the answer's content, in plain answers and in stream events. */
export const answerMembers: Readonly<Record<ChatDialectName, readonly string[]>> = {
  'chat-completions': ['choices'],
  // An event has its content in one of the first three, a complete message in the last.
  messages: ['message', 'content_block', 'delta', 'content'],
  'generate-content': ['candidates'],
};

export const usageMembers: Readonly<Record<ChatDialectName, string>> = {
  'chat-completions': 'usage',
  messages: 'usage',
  'generate-content': 'usageMetadata',
};

/** The document with every usage object replaced; undefined removes it. */
export function editUsage(
  document: JsonObject,
  dialect: DialectName,
  edit: (usage: JsonObject) => unknown,
): JsonObject {
  const member = usageMembers[chatDialect(dialect)];
  const { message } = document;
  // The first event of a messages stream has its usage one level deeper.
  if (dialect === 'messages' && isObject(message)) {
    return { ...document, message: editUsage(message as JsonObject, dialect, edit) };
  }
  const usage = document[member];
  return isObject(usage) ? { ...document, [member]: edit(usage as JsonObject) } : document;
}

/** Replaces every number in a value, at any depth. */
export function editNumbers(value: unknown, edit: (count: number) => unknown): unknown {
  if (typeof value === 'number') return edit(value);
  if (Array.isArray(value)) return value.map((inner) => editNumbers(inner, edit));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, editNumbers(inner, edit)]));
}
