import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { loadProfile } from '../profile/load-profile.ts';
import { makeAuthority } from '../receiver/authority.ts';
import { loadRegister } from '../rules/register.ts';
import { selectForRun } from '../runner/select.ts';
import { DocumentShell } from './testing/document-shell.ts';
import { type Document, documentsBelow, type Step } from './testing/documented-commands.ts';
import { giveProfile } from './testing/documented-needs.ts';
import { scripts } from './testing/documented-scripts.ts';
import { type Way, wayOf, ways } from './testing/documented-ways.ts';
import { runCli } from './testing/run-cli.ts';
import { upBeside } from './testing/up.ts';

/** Every documented command works as printed, or the table gives a reason why it is not run. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = documentsBelow(root);
const steps = documents.flatMap((document) => document.steps);

// One of the commands starts the stack that all of them use.
const authorities = mkdtempSync(join(tmpdir(), 'gatecheck-authority-'));
const ownCa = join(authorities, 'my-ca.pem');
writeFileSync(ownCa, (await makeAuthority(Date.now())).cert);
afterAll(() => rmSync(authorities, { recursive: true }));
const { target } = upBeside('documents', ['--webhook-host', '127.0.0.1:9443', '--webhook-ca', ownCa]);

const typed = (...kinds: Step['kind'][]): string[] => [
  ...new Set(steps.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)),
];

it('has no entry for a command that no document contains', () => {
  const tried = new Set(typed('command').map(wayOf));
  expect(ways.filter(([, way]) => !tried.has(way)).map(([pattern]) => String(pattern))).toEqual([]);
  const withScripts = documents.filter((document) => document.steps.some(({ kind }) => kind === 'script'));
  expect(withScripts.map(({ name }) => name).toSorted()).toEqual(Object.keys(scripts).toSorted());
});

it('names only existing commands, options and scripts', async () => {
  const all = typed('command', 'inline').map((text) => text.replaceAll(/"[^"]*"|'[^']*'|\$\w+/g, ''));
  const { scripts: npm } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const told = all.flatMap((text) => [...text.matchAll(/\bnpm (?:run )?(start|test|check)\b/g)]);
  expect(told.filter(([, name = '']) => !Object.hasOwn(npm, name))).toEqual([]);
  // The Node of the system may be one that cannot run TypeScript.
  const files = all.flatMap((text) => [...text.matchAll(/(\S*\bnode) (\S+\.ts)\b/g)]);
  expect(
    files.filter(
      ([, node, file = '']) =>
        node !== 'node_modules/.bin/node' ||
        !['.', 'docs/examples'].some((at) => existsSync(join(root, at, file))),
    ),
  ).toEqual([]);

  // Not a namespace of a Kubernetes cluster.
  const ours = all.flatMap((text) => [...text.matchAll(/(?<!-n )\bgatecheck ([a-z]+)([^;&]*)/g)]);
  const names = [...new Set(ours.map(([, name = '']) => name))];
  const pages = await Promise.all(names.map(async (name) => [name, await runCli([name, '--help'])] as const));
  const help = new Map(pages.map(([name, { code, stdout }]) => [name, code === 0 ? stdout : '']));
  const unknown = ours.flatMap(([, name = '', rest = '']) =>
    [...rest.matchAll(/(?<=[\s[])--[a-z-]+/g)]
      .filter(([option]) => !help.get(name)?.includes(option))
      .map(([option]) => `${name} ${option}`),
  );
  expect([...help].filter(([, page]) => page === '').map(([name]) => name)).toEqual([]);
  expect(unknown).toEqual([]);
});

it('selects only existing checks', () => {
  const register = loadRegister();
  const options = typed('command', 'inline').flatMap((text) => [
    ...text.matchAll(/\bgatecheck (?:run|plan|list|prove) .*?--(only|exclude) ([^\s<>]+)(?=\s|$)/g),
  ]);
  expect(options.length).toBeGreaterThan(10);
  // Users' own checks are not in our list.
  for (const [, option = '', words = ''] of options.filter(([, , only = '']) => !notThere.includes(only))) {
    const selection = { only: null, exclude: null, ids: null, shard: null, [option]: words };
    expect(selectForRun(allChecks, register, selection).length, words).toBeGreaterThan(0);
  }
});

/**
 * Names that a reader creates: own checks, and the check that CONTRIBUTING.md adds, with a built-in check as its substitute.
 */
const [added, standIn] = ['auth.key.length', 'auth.header.missing'] as const;
const notThere = ['ACME', added];

/** The secret of a receiver in the documents. */
const secret = `whsec_${Buffer.alloc(32, 'receiver').toString('base64')}`;

/** The documents that have anything to run. */
const taken = documents.filter(({ steps: own }) => own.some(({ kind }) => kind !== 'inline'));

/** Commands that another document has already run. */
const done = new Set<string>();

describe.concurrent('the commands in', () => {
  it.each(taken)('$name', { timeout: 900_000 }, async (document) => {
    const shell = openShell(document);
    try {
      for (const [place, step] of document.steps.entries())
        await take(shell, document, step, document.steps[place + 1]);
    } finally {
      await shell.close();
    }
  });
});

function openShell(document: Document): DocumentShell {
  const { steps: own } = document;
  const { base_url: url, keys } = loadProfile(target, {});
  const shell = new DocumentShell(
    [
      ['https://gateway.example.com', url],
      ['http://127.0.0.1:4000/v1', url],
      ['GATECHECK_KEY=…', `GATECHECK_KEY=${keys.K1}`],
      ['whsec_…', secret],
      [`--only ${added}`, `--only ${standIn}`],
    ],
    { GATECHECK_KEY: keys.K1, GATEWAY_WEBHOOK_SECRET: secret },
  );
  const files = own.flatMap(({ kind, text }) =>
    kind === 'data' ? [...text.matchAll(/^# (\w+\.yaml)\n([\s\S]*)/g)] : [],
  );
  for (const [, name = '', content = ''] of files) writeFileSync(join(shell.folder, name), content);
  const makesProfile = own.some(({ text }) => text.includes('--out my-gateway.yaml'));
  if (!makesProfile) giveProfile(shell, target, { index: taken.indexOf(document), of: taken.length });
  return shell;
}

async function take(
  shell: DocumentShell,
  { name }: Document,
  step: Step,
  next: Step | undefined,
): Promise<void> {
  if (step.kind === 'script') {
    writeFileSync(join(shell.folder, 'typed.mjs'), shell.read(scripts[name]?.(step.text) ?? ''));
    expect(await shell.run('node_modules/.bin/node typed.mjs')).toMatchObject({ code: 0 });
  }
  const way = step.kind === 'command' ? wayOf(step.text) : undefined;
  if (way === undefined || way.how === 'not') return;
  if (way.how === 'serve') await serve(shell, step.text, way, next);
  else await run(shell, step.text, way);
}

async function serve(
  shell: DocumentShell,
  text: string,
  way: Way & { how: 'serve' },
  next?: Step,
): Promise<void> {
  way.before?.(shell);
  const ready = await shell.serve(instead(text, way.but));
  expect(Object.keys(ready)).toEqual(Object.keys(way.prints));
  for (const [member, printed] of Object.entries(way.prints))
    if (printed !== null) shell.means(printed, String(ready[member]));
  if (next?.kind === 'printed')
    for (const [, member = ''] of next.text.matchAll(/"(\w+)":/g))
      expect(Object.keys(ready)).toContain(member);
}

async function run(shell: DocumentShell, text: string, way: Way & { how: 'run' }): Promise<void> {
  const isOnce = way.more !== undefined && way.after === undefined && !text.includes('--out');
  if (isOnce && done.has(text)) return;
  await way.before?.(shell);
  const { code, output } = await shell.run(instead(text, way.but) + (way.more ?? ''));
  expect(code, `${text}\n${output}`).toBe(way.code ?? 0);
  if (way.says !== undefined) expect(output, text).toMatch(way.says);
  done.add(text);
  way.after?.(shell, output);
}

function instead(text: string, but: readonly (readonly [string, string])[] = []): string {
  return but.reduce((left, [part, other]) => left.replace(part, other), text);
}
