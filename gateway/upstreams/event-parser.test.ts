import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventParser, type ServerEvent } from './event-parser.ts';

function parseIn(bytes: Uint8Array, cuts: readonly number[]): ServerEvent[] {
  const parser = createEventParser(1_000_000);
  const events: ServerEvent[] = [];
  let start = 0;
  for (const cut of [...cuts, bytes.length].toSorted((a, b) => a - b)) {
    events.push(...(parser.feed(bytes.subarray(start, cut)) ?? []));
    start = cut;
  }
  return [...events, ...parser.finish()];
}

const cases: readonly [name: string, text: string, data: string[]][] = [
  ['line feeds', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['carriage returns', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['pairs', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['mixed line ends', 'data: a\r\n\ndata: b\r\r\n', ['a', 'b']],
  ['no space', 'data:a\n\n', ['a']],
  ['only the first space is dropped', 'data:  a\n\n', [' a']],
  ['several data lines', 'data: a\ndata: b\n\n', ['a\nb']],
  ['objects in several lines', 'data: {\ndata: "a":{}\ndata: }\n\n', ['{\n"a":{}\n}']],
  [
    'events without blank lines',
    'data: {}\ndata: {"b":1}\ndata: [DONE]\n\ndata: {"a":\ndata: {}}\n',
    ['{}', '{"b":1}', '[DONE]', '{"a":\n{}}'],
  ],
  ['the name of the field twice', 'data: data: {"a":1}\n\ndata: data:[DONE]\n\n', ['{"a":1}', '[DONE]']],
  ['comments as data', 'data: : ping\n\ndata: a\n\n', ['a']],
  ['comments', ': ping\n\n: ping - 2\ndata: a\n: x\n\n', ['a']],
  [
    'a field for an error',
    'data: a\n\nerror: {"code":400}\n\ndata: b\n\nerror: no\n\n',
    ['a', '{"code":400}', 'b'],
  ],
  ['bare JSON', 'data: a\n\n{"error":1}\ndata: b\n\n', ['a', '{"error":1}', 'b']],
  [
    'bare JSON in several lines',
    'data: a\n\n{\n  "e": {\n    "code": 4\n  }\n}\n\ndata: b\n\n',
    ['a', '{\n  "e": {\n    "code": 4\n  }\n}', 'b'],
  ],
  ['bare JSON that is none', '{keep-alive}\ndata: a\n\n{"x":\n: ping\ndata: b\n\n', ['a', 'b']],
  ['bare JSON that never ends', '{\n"a\n\ndata: b\n\n', ['b']],
  ['other fields', 'event: error\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
  ['no blank line at the end', 'data: a\n\ndata: b', ['a', 'b']],
  ['no data', 'event: ping\n\n\n\n', []],
  ['blank data', 'data\n\ndata: \n\ndata:\ndata:  \n\ndata: a\n\n', ['a']],
  ['characters of several bytes', 'data: ä€😀\n\n', ['ä€😀']],
];

it.for(cases)('reads %s in every split of the bytes', ([, text, data]) => {
  const bytes = Buffer.from(text);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    for (let second = cut; second <= bytes.length; second += 1) {
      expect(parseIn(bytes, [cut, second]).map((event) => event.data)).toEqual(data);
    }
  }
});

it('reads an event of many lines in linear time', () => {
  const parser = createEventParser(2_000_000);
  const lines = `data: {"a":[${'{},\ndata: '.repeat(100_000)}{}]}\n\n`;
  expect(parser.feed(Buffer.from(lines))).toHaveLength(1);
}, 5_000);

it('gives up bare JSON that is tried too often', () => {
  const text = `{"a":[[1\n${'],[1\n'.repeat(200_000)}data: b\n\n`;
  const begun = process.cpuUsage();
  expect(parseIn(Buffer.from(text), []).map(({ data }) => data)).toEqual(['b']);
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
});

it('returns the same events for any split of the bytes', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('data: x', ': c', '', 'data:', 'event: e'),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n'))),
      fc.array(fc.nat()),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(''));
        const splits = cuts.map((cut) => cut % (bytes.length + 1));
        expect(parseIn(bytes, splits)).toEqual(parseIn(bytes, []));
      },
    ),
  );
});

it('rejects an event over the limit, but accepts many small events and comments', () => {
  const parser = createEventParser(1000);
  for (let i = 0; i < 100; i += 1)
    expect(parser.feed(Buffer.from(`data: ${'x'.repeat(500)}\n\n`))).toHaveLength(1);
  for (let i = 0; i < 100; i += 1) expect(parser.feed(Buffer.from(`: ${'x'.repeat(500)}\n`))).toHaveLength(0);
  expect(parser.feed(Buffer.from(`data: ${'x'.repeat(600)}\n`))).toEqual([]);
  expect(parser.feed(Buffer.from(`data: ${'x'.repeat(600)}`))).toBeNull();
});
