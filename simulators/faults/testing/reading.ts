import { type AnswerKind, type ChatDialectName, chatDialect } from '../../answers/native-answer.ts';
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

/** One event as a reader dispatches it. */
interface ReadEvent {
  /** Empty when it has no name. */
  readonly name: string;
  readonly data: string;
}

/**
 * Reads the events of a body by the rules of server-sent events. CR, LF and CRLF end lines, comments are skipped,
 * and data lines are joined. An event that is still open at the end of the body also counts.
 * @throws TypeError for bytes that are not UTF-8
 */
function readEventLines(body: Buffer): ReadEvent[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  const events: ReadEvent[] = [];
  let name = '';
  let data: string[] = [];
  for (const line of [...text.split(/\r\n|\n|\r/), '']) {
    if (line === '') {
      if (data.length > 0) events.push({ name, data: data.join('\n') });
      [name, data] = ['', []];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'event') name = value;
  }
  return events;
}
