import { describe, expect, it } from 'vitest';
import { clip, oneLine, plainText } from './plain-text.ts';

const esc = String.fromCharCode(27);

describe('plainText', () => {
  it.each([
    ['a colour', `${esc}[1;31mred${esc}[0m`, 'red'],
    ['a cursor move', `a${esc}[2J${esc}[Hb`, 'ab'],
    ['a window title', `${esc}]0;title${String.fromCharCode(7)}text`, 'text'],
    ['a hyperlink', `${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    ['an eight-bit sequence', `${String.fromCharCode(0x9b)}31mred`, 'red'],
    ['a lone escape', `a${esc}`, 'a'],
    ['a title without an end', `${esc}]0;title`, ']0;title'],
    ['backspaces', `abc${String.fromCharCode(8, 8, 8)}xyz`, 'abcxyz'],
    ['a change of direction', 'a\u202egnp.exe\u202c', 'agnp.exe'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ])('removes %s', (_name, text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  it('keeps line breaks, unlike oneLine', () => {
    expect(plainText('a\r\nb\tc')).toBe('a\nb  c');
    expect(oneLine(' a\r\nb\tc ')).toBe('a b c');
  });
});

describe('clip', () => {
  it('cuts between code points and counts what it cut', () => {
    expect(clip('😀😀😀', 2)).toBe('😀😀… (1 more characters)');
    expect(clip('abc', 3)).toBe('abc');
  });
});
