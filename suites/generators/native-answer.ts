import type { Dialect } from '../profile/dialects.ts';
import type { NativeWriter } from './native/answer.ts';
import { chatCompletionsWriter } from './native/chat-completions.ts';
import { generateContentWriter } from './native/generate-content.ts';
import { messagesWriter } from './native/messages.ts';

const writers: Readonly<Record<Dialect, NativeWriter>> = {
  'chat-completions': chatCompletionsWriter,
  messages: messagesWriter,
  'generate-content': generateContentWriter,
};

/** Writes raw answers as an upstream of this dialect. */
export function native(dialect: Dialect): NativeWriter {
  return writers[dialect];
}
