import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../suites/checks/all-checks.ts';
import { documents, root } from './testing/documents.ts';

/** Keeps the documents true: everything they name exists, and none is too long. */

/** Each alternative of `a/{b,c}/d`. */
function alternatives(path: string): string[] {
  const group = /\{([^{}]*)\}/.exec(path);
  if (group === null) return [path];
  const [whole, inner = ''] = group;
  return inner.split(',').flatMap((one) => alternatives(path.replace(whole, one.trim())));
}

/** Whether the path exists; `<name>`, `*` and `…` stand for any name within a segment. */
function stands(folder: string, path: string): boolean {
  let folders = [folder];
  for (const segment of path.split('/').filter((part) => part !== '' && part !== '.')) {
    const isOpen = /[<*…]/.test(segment);
    folders = folders.flatMap((at) => {
      if (!isOpen) return existsSync(join(at, segment)) ? [join(at, segment)] : [];
      const pattern = new RegExp(`^${segment.replaceAll('.', '\\.').replaceAll(/<[^>]*>|\*|…/g, '[^/]+')}$`);
      return namesIn(at)
        .filter((name) => pattern.test(name))
        .map((name) => join(at, name));
    });
  }
  return folders.length > 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The paths of the tree that a document names in code marks. */
function namedPaths(text: string, folder: string): string[] {
  const words = [...text.matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  return words
    .filter((word) => /^\.{0,2}[\w.<>{},*…-]+(?:\/[\w.<>{},*…-]*)+$/.test(word))
    .filter((word) => !word.startsWith('reports/out'))
    .filter((word) => {
      const [first = ''] = alternatives(word)[0]?.split('/') ?? [];
      return (
        /\.(?:ts|mjs|json|yaml|md|txt)$/.test(word) ||
        [root, folder].some((at) => existsSync(join(at, first)))
      );
    });
}

describe.each(documents)('$name', ({ folder, text }) => {
  it('links only to existing files', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.split('#')[0] ?? '');
    const local = links.filter((target) => target !== '' && !/^[a-z]+:/.test(target));
    expect(local.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const named = namedPaths(text, folder).flatMap(alternatives);
    expect(named.filter((path) => ![root, folder].some((at) => stands(at, path)))).toEqual([]);
  });
});

it('has a front page of at most 90 lines, and a page of at most 60 for each package folder and the glossary', () => {
  const limit = (name: string): number =>
    name === 'README.md' ? 90 : /README\.md$|glossary\.md$/.test(name) ? 60 : Number.POSITIVE_INFINITY;
  const long = documents.filter(({ name, text }) => text.trimEnd().split('\n').length > limit(name));
  expect(long.map(({ name }) => name)).toEqual([]);
});

it('keeps a change log with only existing checks as added or changed, and no existing ones as removed', () => {
  const ids = new Set(allChecks.map((check) => check.id));
  const log = documents.find(({ name }) => name === 'CHANGELOG.md')?.text ?? '';
  const listed = (heading: string): string[] =>
    [...log.matchAll(new RegExp(`^### ${heading}\\n([^#]*)`, 'gm'))].flatMap(([, body = '']) =>
      [...body.matchAll(/^- `([^`]+)`/gm)].map(([, id = '']) => id),
    );
  expect(log).not.toBe('');
  expect([...listed('Added'), ...listed('Changed')].filter((id) => !ids.has(id))).toEqual([]);
  expect(listed('Removed').filter((id) => ids.has(id))).toEqual([]);
});

it('has no word in the glossary that no other page uses', () => {
  const glossary = documents.find(({ name }) => name === 'docs/glossary.md')?.text ?? '';
  const words = [...glossary.matchAll(/^\| ([a-z ]+) \| (?!meaning)/gm)].map(([, word = '']) => word);
  const others = documents.filter(({ name }) => name !== 'docs/glossary.md').map(({ text }) => text);
  expect(words.length).toBeGreaterThan(10);
  expect(
    words.filter((word) => !others.some((text) => new RegExp(`\\b${word}(?:s|es)?\\b`, 'i').test(text))),
  ).toEqual([]);
});
