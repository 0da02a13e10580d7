import { RawBytes } from '../grammar/raw-json.ts';

/** A way to fill a field with many bytes that some parser or check handles slowly. */
export interface Filler {
  readonly name: string;
  /** JSON of about this many bytes. `legal` is the field's legal value. */
  readonly fill: (bytes: number, legal: unknown) => unknown;
}

const times = (item: string, bytes: number): number =>
  Math.max(1, Math.floor(bytes / Math.max(1, item.length)));

/** A list that repeats one item. */
const listOf =
  (item: string): Filler['fill'] =>
  (bytes) =>
    new RawBytes(
      `[${Array(times(`${item},`, bytes))
        .fill(item)
        .join(',')}]`,
      'list',
    );

const textOf =
  (unit: string, end = ''): Filler['fill'] =>
  (bytes) =>
    new RawBytes(`"${unit.repeat(times(unit, bytes))}${end}"`, 'string');

const nested =
  (open: string, close: string): Filler['fill'] =>
  (bytes) => {
    const depth = times(open + close, bytes);
    return new RawBytes(`${open.repeat(depth)}7${close.repeat(depth)}`, 'object');
  };

const numbered =
  (member: (at: number) => string): Filler['fill'] =>
  (bytes) => {
    const members: string[] = [];
    for (let length = 0; length < bytes; ) {
      const next = member(members.length);
      members.push(next);
      length += next.length + 1;
    }
    return new RawBytes(`{${members.join(',')}}`, 'object');
  };

const numberedItems =
  (item: (at: number) => string): Filler['fill'] =>
  (bytes) => {
    const items: string[] = [];
    for (let length = 0; length < bytes; ) {
      const next = item(items.length);
      items.push(next);
      length += next.length + 1;
    }
    return new RawBytes(`[${items.join(',')}]`, 'list');
  };

/** A list that repeats the first item of a legal list, so that only the length is unusual. */
const legalItems: Filler['fill'] = (bytes, legal) => {
  const item = JSON.stringify(Array.isArray(legal) && legal.length > 0 ? legal[0] : (legal ?? {}));
  return listOf(item ?? '{}')(bytes, legal);
};

const tool = (at: number): string =>
  `{"type":"function","function":{"name":"f${at}","description":"d","parameters":{"type":"object"}}}`;
const turn = '{"role":"user","content":"a"}';
const block = '{"type":"text","text":"a"}';
const picture = (url: string): string => `{"type":"image_url","image_url":{"url":"${url}"}}`;

export const fillers: readonly Filler[] = [
  { name: 'legal items', fill: legalItems },
  { name: 'empty objects', fill: listOf('{}') },
  { name: 'empty lists', fill: listOf('[]') },
  { name: 'empty texts', fill: listOf('""') },
  { name: 'zeros', fill: listOf('0') },
  { name: 'nulls', fill: listOf('null') },
  { name: 'short texts', fill: numberedItems((at) => `"t${at}"`) },
  { name: 'turns', fill: listOf(turn) },
  { name: 'turns of blocks', fill: listOf(`{"role":"user","content":[${block},${block},${block}]}`) },
  { name: 'blocks', fill: listOf(block) },
  { name: 'pictures', fill: numberedItems((at) => picture(`https://media.example.com/${at}.png`)) },
  { name: 'links of odd hosts', fill: numberedItems((at) => picture(`https://${at}.0x7f.1/${at}`)) },
  { name: 'links', fill: numberedItems((at) => `"https://media.example.com/${at}.png"`) },
  { name: 'tools', fill: numberedItems(tool) },
  {
    name: 'calls and results',
    fill: numberedItems(
      (at) =>
        `{"role":"assistant","content":null,"tool_calls":[{"id":"c${at}","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c${at}","content":"x"}`,
    ),
  },
  { name: 'turns of parts', fill: listOf('{"role":"user","parts":[{"text":"a"}]}') },
  { name: 'members', fill: numbered((at) => `"m${at}":0`) },
  { name: 'the same member', fill: numbered(() => '"m":0') },
  { name: 'members with numbers as names', fill: numbered((at) => `"${at * 7_919}":0`) },
  { name: 'a schema of many properties', fill: numbered((at) => `"p${at}":{"type":"string"}`) },
  { name: 'nested lists', fill: nested('[', ']') },
  { name: 'nested objects', fill: nested('{"a":', '}') },
  { name: 'nested schemas', fill: nested('{"type":"object","properties":{"a":', '}}') },
  { name: 'many short nests', fill: listOf('[[[[[[[[]]]]]]]]') },
  { name: 'letters', fill: textOf('a') },
  { name: 'escapes', fill: textOf('\\n\\"') },
  { name: 'escaped characters', fill: textOf('\\u00e9') },
  { name: 'escaped pairs', fill: textOf('\\ud83c\\udf0a') },
  { name: 'lone surrogates', fill: textOf('\\ud800x') },
  { name: 'characters of four bytes', fill: textOf('🌊') },
  { name: 'combining marks', fill: textOf('\u0301') },
  { name: 'blanks and a letter', fill: textOf(' ', 'x') },
  { name: 'letters and a mark', fill: textOf('a', '!') },
  { name: 'words and commas', fill: textOf('a,b, ', '!') },
  { name: 'base64 that is none', fill: (bytes) => textOf('A', '!')(bytes, null) },
  {
    name: 'a data URI',
    fill: (bytes) => new RawBytes(`"data:image/png;base64,${'A'.repeat(bytes)}"`, 'string'),
  },
  {
    name: 'a broken data URI',
    fill: (bytes) => new RawBytes(`"data:image/png;base64,${'A'.repeat(bytes)}!"`, 'string'),
  },
  {
    name: 'a host of many labels',
    fill: (bytes) => new RawBytes(`"https://${'a.'.repeat(bytes / 2)}example.com/"`, 'string'),
  },
  {
    name: 'a path of many dots',
    fill: (bytes) => new RawBytes(`"https://media.example.com/${'../'.repeat(bytes / 3)}"`, 'string'),
  },
  { name: 'JSON in a text', fill: textOf('{\\"a\\":[1,') },
  { name: 'slashes', fill: textOf('/') },
  { name: 'brackets in a text', fill: textOf('[', ']') },
  { name: 'digits', fill: (bytes) => new RawBytes('9'.repeat(Math.max(1, bytes)), 'number') },
  { name: 'decimals', fill: (bytes) => new RawBytes(`0.${'3'.repeat(Math.max(1, bytes))}`, 'number') },
  { name: 'numbers', fill: numberedItems((at) => `${at}.5e-${at % 300}`) },
];
