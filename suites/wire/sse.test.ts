import { describe, expect, it } from 'vitest';
import { readSse } from './sse.ts';

const read = (text: string): ReturnType<typeof readSse> => readSse(Buffer.from(text));
const dataOf = (text: string): string[] => read(text).events.map((event) => event.data);

describe('readSse', () => {
  it('reads the literal form without deviations', () => {
    expect(read('data: {"a":1}\n\ndata: [DONE]\n\n')).toEqual({
      events: [
        { data: '{"a":1}', event: null, endOffset: 15 },
        { data: '[DONE]', event: null, endOffset: 29 },
      ],
      deviations: [],
      faults: [],
    });
  });

  it('counts offsets in bytes', () => {
    expect(read('\ufeffdata: 🌊\n\n').events[0]?.endOffset).toBe(15);
  });

  it.each<[string, string, string[]]>([
    ['comment', ': ping\n\ndata: x\n\n', ['x']],
    ['crlf', 'data: x\r\n\r\n', ['x']],
    ['crlf', 'data: x\r\r', ['x']],
    ['no-space', 'data:x\n\n', ['x']],
    ['other-field', 'event: message\nid: 7\ndata: x\n\n', ['x']],
    ['other-field', 'retry: 10\n\ndata: x\n\n', ['x']],
    ['multi-line', 'data: x\ndata: y\n\n', ['x\ny']],
    ['bom', '\ufeffdata: x\n\n', ['x']],
  ])('reports %s in %j but still reads it', (deviation, text, data) => {
    expect(read(text)).toMatchObject({ deviations: [deviation], faults: [] });
    expect(dataOf(text)).toEqual(data);
  });

  it('keeps all white space except one space after the colon', () => {
    expect(dataOf('data:  x \n\n')).toEqual([' x ']);
  });

  it('reads the name of an event', () => {
    expect(read('event: error\ndata: x\n\ndata: y\n\n').events.map((event) => event.event)).toEqual([
      'error',
      null,
    ]);
  });

  it.each([
    ['a line that is no field', 'data: x\nhello\n\n', /not an SSE field/],
    ['JSON without its field', '{"a":1}\n\n', /not an SSE field/],
    ['an event without its blank line', 'data: x\n', /no blank line/],
    ['an event without a line end', 'data: x', /no blank line/],
    ['bytes that are not UTF-8', Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a]), /UTF-8/],
  ])('reports %s as malformed', (_, body, fault) => {
    expect(readSse(Buffer.from(body as string)).faults.join()).toMatch(fault);
  });

  it('reads no event from an empty body', () => {
    expect(read('')).toEqual({ events: [], deviations: [], faults: [] });
  });
});
