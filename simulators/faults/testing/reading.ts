import { type AnswerKind, type ChatDialectName, chatDialect } from '../../answers/native-answer.ts';
import { readEventLines } from './event-lines.ts';
import { type Json, type Reading, readChat, readGenerate, readMessages } from './native-readers.ts';

/** Reads a whole body of the dialect; written apart from the faults, so that both are judged. */
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

/** The JSON of the body, or of its events up to the mark of the end; text that is none is passed over. */
function documentsIn(body: Buffer, call: AnswerKind): Json[] {
  if (call === 'plain') return [JSON.parse(body.toString('utf8'))];
  if (body.toString('utf8').startsWith('[')) return JSON.parse(body.toString('utf8'));
  const events = readEventLines(body);
  const mark = events.findIndex(({ data }) => data === '[DONE]' || /"type": ?"message_stop"/.test(data));
  return (mark === -1 ? events : events.slice(0, mark)).map(({ data }) => JSON.parse(data));
}
