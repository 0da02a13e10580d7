import { type AnswerKind, type ChatDialectName, chatDialect } from '../../answers/native-answer.ts';
import { readEventLines } from './event-lines.ts';
import { type Json, type Reading, readChat, readGenerate, readMessages } from './native-readers.ts';

/** Reads a whole body of the dialect. It shares no code with the faults, so a test checks both. */
export function readBody(body: Buffer, dialect: ChatDialectName, call: AnswerKind): Reading {
  const documents = documentsIn(body, call);
  switch (chatDialect(dialect)) {
    case 'chat-completions':
      return readChat(documents);
    case 'messages':
      return readMessages(documents);
    case 'generate-content':
      return readGenerate(documents);
  }
}

/** The JSON of the body, or of its events up to the end mark. Text that is not JSON is skipped. */
function documentsIn(body: Buffer, call: AnswerKind): Json[] {
  if (call === 'plain') return [JSON.parse(body.toString('utf8'))];
  if (body.toString('utf8').startsWith('[')) return JSON.parse(body.toString('utf8'));
  const events = readEventLines(body);
  const mark = events.findIndex(({ data }) => data === '[DONE]' || /"type": ?"message_stop"/.test(data));
  return (mark === -1 ? events : events.slice(0, mark)).map(({ data }) => JSON.parse(data));
}
