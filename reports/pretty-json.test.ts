import { describe, expect, it } from 'vitest';
import { prettyJson } from './pretty-json.ts';

describe('prettyJson', () => {
  it('indents an object and keeps short parts on one line', () => {
    expect(prettyJson('{"a":[1,2],"b":{"c":null},"d":[],"e":{}}')).toBe(
      '{\n  "a": [1, 2],\n  "b": { "c": null },\n  "d": [],\n  "e": {}\n}',
    );
  });

  it('preserves the original text: big integers, 5.0, duplicate keys, escapes', () => {
    const text = '{"n":9223372036854775808,"f":5.0,"n":1e2,"s":"\\u0041\\"[{,:"}';
    expect(prettyJson(text)?.replace(/\n *| /g, '')).toBe(text);
  });

  it('keeps the parsed value', () => {
    const value = { list: [{ deep: ['x'.repeat(80), true, null, -1.5e-9] }, [], [[]]], '': { '"': '\\' } };
    expect(JSON.parse(prettyJson(JSON.stringify(value)) ?? '')).toEqual(value);
  });

  it.each(['', '{', '{"a":1', 'data: {"a":1}', '<html>', 'undefined'])(
    'returns null for text that is not JSON: %j',
    (text) => {
      expect(prettyJson(text)).toBeNull();
    },
  );

  it('returns null for text that is too deep or too long to be readable', () => {
    expect(prettyJson('['.repeat(5000) + ']'.repeat(5000))).toBeNull();
    expect(prettyJson(JSON.stringify('x'.repeat(100_000)))).toBeNull();
  });
});
