import { readChatCompletions } from './chat-completions.ts';
import { dialectOfPath } from './dialects.ts';
import { readGenerateContent } from './generate-content.ts';
import { objectOf, readJson } from './json.ts';
import { readMessages } from './messages.ts';
import type { NativeView } from './view.ts';

/** Reads an upstream request at this path; null for an unknown dialect. A body that is not JSON reads as an empty one. */
export function readNative(path: string, text: string): NativeView | null {
  const body = bodyOf(text);
  switch (dialectOfPath(path)) {
    case 'chat-completions':
      return readChatCompletions(body);
    case 'messages':
      return readMessages(body);
    case 'generate-content':
      return readGenerateContent(path, body);
    case null:
      return null;
  }
}

/** The caller's own request in the same form; a text as it was sent, with the digits of its numbers. */
export function readCaller(body: object | string): NativeView {
  return readChatCompletions(bodyOf(typeof body === 'string' ? body : JSON.stringify(body)));
}

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(readJson(text));
  } catch {
    return {};
  }
}
