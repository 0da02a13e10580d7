import { expect, it } from 'vitest';
import { privateParts, withoutLongTexts } from './private-parts.ts';
import { exchangeOf } from './testing/passing.ts';

it('hides the texts of conversations, even in a stream of single words', () => {
  const words = ['Dear', ' Mrs', ' Example'];
  const stream = words
    .map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    .join('');
  const shown = withoutLongTexts(stream);
  for (const word of words) expect(shown).not.toContain(word.trim());
  expect(shown).toContain('"content":"(4 characters)"');
});

it('shows facts about the deployment, but no credential', () => {
  const headers = { Authorization: 'Bearer sk-app-of-somebody' };
  const hide = privateParts(exchangeOf({ path: '/a?key=sk-app-other', headers, at: 0 }));
  const text =
    '{"code":"invalid_param","finish_reason":"stop","echo":"sk-app-of-somebody","k":"sk-app-other"}';
  const shown = hide(text);
  expect(shown).toContain('"code":"invalid_param","finish_reason":"stop"');
  expect(shown).not.toContain('sk-app');
});

it('replaces a text by its length once, however often it is hidden', () => {
  const once = withoutLongTexts(JSON.stringify({ content: 'x'.repeat(90), other: 'y'.repeat(90) }));
  expect(withoutLongTexts(once)).toBe(once);
  expect(once).toContain('(90 characters)');
});
