/** One event as a reader dispatches it. */
export interface ReadEvent {
  /** Empty when it has no name. */
  readonly name: string;
  readonly data: string;
}

/**
 * Reads the events of a body by the rules of server-sent events. CR, LF and CRLF end lines, comments are skipped,
 * and data lines are joined. An event that is still open at the end of the body also counts.
 * @throws TypeError for bytes that are not UTF-8
 */
export function readEventLines(body: Buffer): ReadEvent[] {
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
