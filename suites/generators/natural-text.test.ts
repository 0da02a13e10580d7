import { describe, expect, it } from 'vitest';
import { naturalTexts } from './natural-text.ts';

const many = Array.from({ length: 600 }, (_, seed) => naturalTexts(seed * 7_919));
const prompts = many.map(({ prompt }) => prompt);

describe('natural texts', () => {
  it('are the same for the same seed, regardless of earlier draws', () => {
    const first = naturalTexts(42);
    naturalTexts(7);
    expect(naturalTexts(42)).toEqual(first);
    expect(naturalTexts(-42)).not.toEqual(first);
    expect(new Set(prompts).size).toBeGreaterThan(590);
  });

  it.each([
    ['right-to-left letters', /[\p{Script=Arabic}\p{Script=Hebrew}]/u],
    ['combining marks', /\p{M}/u],
    ['emoji', /\p{Extended_Pictographic}/u],
    ['ideographs', /\p{Script=Han}/u],
    ['plain English', /^Write a short greeting for [ -~]+\.$/],
    ['a long name', /.{60}/u],
  ])('include %s now and then', (_, form) => {
    expect(prompts.filter((prompt) => form.test(prompt)).length).toBeGreaterThan(3);
  });

  it('stay within the limits of the fields that they fill', () => {
    for (const { prompt, subject, userId, metadata } of many) {
      for (const text of [prompt, subject, userId]) expect(text.length).toBeLessThan(160);
      for (const [key, value] of Object.entries(metadata)) {
        expect([...key].length).toBeLessThanOrEqual(64);
        expect([...value].length).toBeLessThanOrEqual(64);
        expect(value.isWellFormed()).toBe(true);
      }
      expect(prompt.isWellFormed() && subject.isWellFormed()).toBe(true);
    }
  });

  it('contain no real e-mail address', () => {
    const addresses = many.map(({ userId }) => userId).filter((id) => id.includes('@'));
    expect(addresses.length).toBeGreaterThan(20);
    expect(addresses.filter((id) => !/@example\.(?:com|net|org)$/.test(id))).toEqual([]);
  });
});
