import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { assumptionsOf } from './role-assumptions.ts';

it('names the window and the capabilities that a guessed role assumes', () => {
  expect(
    assumptionsOf([
      ['acme-large', 'beta-mid-4-5'],
      ['acme-small', 'delta-3'],
    ]).slice(1),
  ).toEqual([
    '  acme-large: a window of 200K tokens, tools, stream, vision, cache',
    '  acme-small: a window of 256K tokens, tools, stream',
  ]);
});

it('shortens a long list', () => {
  const roles = Array.from({ length: 10 }, (_, at) => [`m-${at}`, 'delta-3'] as const);
  expect(assumptionsOf(roles).at(-1)).toMatch(/2 more/);
});

it('agrees with the table of roles in the pages', () => {
  const page = readFileSync(new URL('../../docs/dialects.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (`(?:alpha|beta|gamma|delta)-.+?) \| ([\dK, ]+) \| ?(.*?) ?\|$/gm)];
  const told = rows.flatMap(([, names = '', windows = '', more = '']) =>
    names.split(', ').map((name, at) => {
      const each = windows.split(', ');
      return [name.replaceAll('`', ''), each[at] ?? each[0], more];
    }),
  );
  const known = chatCatalogue.map(({ id, contextK, vision, cache }) => {
    const more = [...(vision === false ? [] : ['vision']), ...(cache ? ['cache'] : [])];
    return [id, `${contextK}K`, more.join(', ')];
  });
  expect(told).toEqual(known);
});
