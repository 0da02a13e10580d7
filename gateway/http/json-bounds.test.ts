import { describe, expect, it } from 'vitest';
import { maxEscapes, maxValues, scanJson } from './json-bounds.ts';
import { parseInTurns, parseJsonObject } from './parse-json.ts';

const mebibyte = 1024 * 1024;
/** Work between two pauses; counted in bytes, so that slow machines do not matter. */
const bytesPerTurn = 256 * 1024;

/** Scans the bytes. Returns the number of pauses, and the message if they are rejected. */
function read(bytes: Buffer): { turns: number; refused: string | null } {
  const work = scanJson(bytes);
  for (let turns = 0; ; turns += 1) {
    try {
      if (work.next().done === true) return { turns, refused: null };
    } catch (error) {
      return { turns, refused: error instanceof Error ? error.message : String(error) };
    }
  }
}

describe('a body beyond a limit', () => {
  it.for<[string, string, string]>([
    ['messages without anything', `{"messages":[${'{},'.repeat(330_000)}{}]}`, 'more than 10000 entries'],
    ['an object of many members', `{${'"a":1,'.repeat(330_000)}"a":1}`, 'more than 10000 entries'],
    [
      'lists of lists',
      `{"a":[${`[${'[],'.repeat(150)}0],`.repeat(1_000)}0]}`,
      `more than ${maxValues} values`,
    ],
    ['escapes', `{"a":"${'\\\\'.repeat(maxEscapes + 1)}"}`, `more than ${maxEscapes} escapes`],
    ['escapes far apart', `{"a":"${`\\n${'x'.repeat(40)}`.repeat(maxEscapes / 10)}"}`, ''],
    ['a number without end', `{"a":${'1'.repeat(20 * mebibyte)}}`, 'too long'],
    ['brackets', '['.repeat(mebibyte), 'deeper than 512'],
  ])('is refused before anything is made of it: %s', ([, text, message]) => {
    const { turns, refused } = read(Buffer.from(text));
    if (message === '') expect(refused).toBeNull();
    else expect(refused).toContain(message);
    // Scanning stops early.
    expect(turns).toBeLessThan(40);
  });
});

describe('the error for a body beyond a limit', () => {
  const deep = '['.repeat(600);
  it.for<[string, string, string | null]>([
    ['the member that holds it', `{"model":"a","tools":{"a":${deep}`, 'tools'],
    ['the first one', `{ "messages" : ${deep}`, 'messages'],
    ['a long list', `{"model":"a,b","stop":[${'1,'.repeat(11_000)}1]}`, 'stop'],
    ['a long number', `{"n":{"a":1},\n "seed": ${'1'.repeat(1_200)}}`, 'seed'],
    ['escapes', `{"a":1,"user":"${'\\\\'.repeat(maxEscapes + 1)}"}`, 'user'],
    ['nothing where there are too many members', `{${'"a":1,'.repeat(11_000)}"a":1}`, null],
    ['nothing in a list', `[{"a":${deep}`, null],
    ['nothing that cannot be a field', `{"a b":${deep}`, null],
  ])('names %s', ([, text, param]) => {
    expect(() => [...scanJson(Buffer.from(text))]).toThrow(expect.objectContaining({ param }));
  });
});

describe('a large body', () => {
  it.for<[string, Buffer]>([
    ['blanks', Buffer.concat([Buffer.from('{"a":'), Buffer.alloc(8 * mebibyte, 0x20), Buffer.from('1}')])],
    ['short texts', Buffer.from(`{"a":[${`"${'x'.repeat(800)}",`.repeat(9_900)}1]}`)],
    ['escaped quotes', Buffer.from(`{"a":"${'\\"'.repeat(maxEscapes)}"}`)],
  ])('is read in pieces of bounded work: %s', async ([, bytes]) => {
    const { turns, refused } = read(bytes);
    expect(refused).toBeNull();
    const skipped = bytes.length / 16;
    expect(turns).toBeGreaterThanOrEqual(Math.floor(skipped / bytesPerTurn));
    let pauses = 0;
    const parsed = await parseInTurns(bytes, async () => {
      pauses += 1;
    });
    expect(pauses).toBeGreaterThan(turns);
    expect(parsed.value).toEqual(JSON.parse(bytes.toString()));
  });

  it('of blanks pauses after each piece', () => {
    const bytes = Buffer.alloc(8 * mebibyte, 0x20);
    expect(read(bytes).turns).toBe(bytes.length / bytesPerTurn);
  });

  it('of one string needs no more pauses than its search', () => {
    expect(read(Buffer.from(`{"a":"${'x'.repeat(8 * mebibyte)}"}`)).turns).toBeLessThanOrEqual(8);
  });

  it('that is small needs no pause', async () => {
    const { pause } = await parseInTurns(Buffer.from('{"a":1}'), () => {
      throw new Error('there is no need');
    });
    expect(pause).toBeNull();
  });
});

it('keeps the digits of every long number, and turns no string into a number', () => {
  const text =
    '{"a":[12345678901234567890,-1e400,{"b":0.10000000000000000001,"__proto__":98765432109876543210}],"t":"12345678901234567890","s":"\\\\","n":1e2}';
  expect(JSON.stringify(parseJsonObject(Buffer.from(text)).exact)).toBe(text);
});
