import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../errors/gateway-error.ts';
import { maxDepth } from './json-bounds.ts';
import { parseExact, parseJsonObject, parseObjectText } from './parse-json.ts';

const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('parseJsonObject', () => {
  it.for([
    ['nothing', ''],
    ['half an object', '{"a":'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '5'],
    ['null', 'null'],
    ['NaN', '{"a":NaN}'],
    ['Infinity', '{"a":Infinity}'],
    ['a comment', '{"a":1 /* one */}'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['something after the object', '{} {}'],
    ['a nesting one level too deep', nested(maxDepth + 1)],
    ['a nesting that would exhaust the stack', nested(200_000)],
    ['an unclosed nesting of a million', '['.repeat(1_000_000)],
    ['more values than anybody needs', `{"a":[${'0,'.repeat(1_000_001)}0]}`],
  ])('refuses %s', ([, text]) => {
    expect(() => parseJsonObject(Buffer.from(text ?? ''))).toThrowError(GatewayError);
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(() => parseJsonObject(Buffer.from([0x7b, 0x22, 0x80, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('UTF-8');
  });

  it('accepts the deepest allowed nesting, and ignores brackets in strings', () => {
    expect(parseJsonObject(Buffer.from(nested(maxDepth))).value).toHaveProperty('a');
    const text = JSON.stringify({ a: '['.repeat(5000), b: '\\"{{{'.repeat(500) });
    expect(parseJsonObject(Buffer.from(text)).value).toHaveProperty('b');
  });

  it('does not let a __proto__ key change a prototype', () => {
    const { value } = parseJsonObject(
      Buffer.from('{"__proto__":{"polluted":true},"n":12345678901234567890}'),
    );
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(value)).toContain('__proto__');
  });

  it('keeps the digits of numbers that a double would change', () => {
    const text = '{"seed":9223372036854775807,"x":1e400,"list":[0.10000000000000000001]}';
    expect(JSON.stringify(parseJsonObject(Buffer.from(text)).exact)).toBe(text);
  });

  it('reads every JSON object as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 })), (object) => {
        const bytes = Buffer.from(JSON.stringify(object));
        const { value, exact } = parseJsonObject(bytes);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(bytes.toString())));
        expect(JSON.parse(JSON.stringify(exact))).toEqual(JSON.parse(bytes.toString()));
      }),
    );
  });
});

describe('parseExact', () => {
  it('parses JSON in a string without loss of digits', () => {
    const text = '{"n":12345678901234567890,"e":1e400,"a":["\\ud800",null,-0.5],"__proto__":{"x":1}}';
    expect(JSON.stringify(parseExact(text))).toBe(text);
  });

  it.for(['', '{', 'undefined', '['.repeat(100_000), nested(maxDepth + 1)])('knows nothing of %j', (text) => {
    expect(parseExact(text)).toBeUndefined();
  });
});

describe('parseObjectText', () => {
  it('accepts exactly one object', () => {
    expect(parseObjectText(' {"a":1} ')).toEqual({ a: 1 });
    for (const text of ['[1]', '"x"', 'null', '5', '12345678901234567890', '{} {}', '']) {
      expect(parseObjectText(text)).toBeNull();
    }
  });
});
