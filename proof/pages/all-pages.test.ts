import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedPages } from './all-pages.ts';

it.each([...generatedPages()])('%s is up to date: else `npm run generate`', (page, text) => {
  expect(readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')).toBe(text);
});
