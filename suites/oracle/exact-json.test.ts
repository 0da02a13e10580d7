import { describe, expect, it } from 'vitest';
import { exactJson } from './exact-json.ts';

describe('exactJson', () => {
  it('treats two spellings of one number as equal', () => {
    expect(exactJson('[1e-7, 1.50, -0, 12e2]')).toEqual(exactJson('[0.0000001, 1.5, 0, 1200]'));
  });

  it('distinguishes numbers that JavaScript cannot', () => {
    expect(exactJson('9007199254740993')).not.toEqual(exactJson('9007199254740992'));
    expect(exactJson('1e400')).not.toEqual(exactJson('1e401'));
  });

  it('ignores the order of keys but not that of elements', () => {
    expect(exactJson('{"a":1,"b":[1,2]}')).toEqual(exactJson('{"b":[1,2],"a":1}'));
    expect(exactJson('[1,2]')).not.toEqual(exactJson('[2,1]'));
  });

  it('never treats a string or an object as a number', () => {
    expect(exactJson('"1"')).not.toEqual(exactJson('1'));
    expect(exactJson('{"number":"1e0"}')).not.toEqual(exactJson('1'));
  });
});
