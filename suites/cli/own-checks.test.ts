import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './testing/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-own-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = fileURLToPath(new URL('../../docs/examples/own-checks.ts', import.meta.url));

const check = (facts: object): string =>
  `defineCheck(${JSON.stringify({
    ...{ id: 'acme.a', title: 'a', requirements: ['CHAT-001'], kind: 'example', needs: [] },
    ...facts,
  }).slice(0, -1)}, run: async () => {} })`;

const fileWith = (text: string): string => {
  const file = join(folder, `${text.length}-${text.replaceAll(/\W/g, '').slice(-40)}.ts`);
  writeFileSync(file, `import { defineCheck, defineRequirement } from 'gatecheck';\n${text}\n`);
  return file;
};

const rule = (id: string): string =>
  `export const requirements = [defineRequirement({ id: '${id}', level: 'MUST', statement: 's', section: 'x' })];`;

describe('own checks', () => {
  it('come last in a list, and can be selected by their own rules', async () => {
    const all = await runCli(['list', '--checks', example]);
    const lines = all.stdout.trim().split('\n');
    expect(lines.at(-3)).toMatch(/^acme\.errors\.short .*\[ACME-001\]$/);
    const { stdout } = await runCli(['list', '--checks', example, '--only', 'ACME-001', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'acme.errors.short', level: 'MUST' }]);
  }, 60_000);

  it.each([
    ['no list', 'export const check = 1;', 'has to export a list `checks`'],
    ['a check that is none', 'export const checks = [{}];', 'was not made by defineCheck'],
    ['code that fails', "throw new Error('oh');", 'cannot be loaded: oh'],
    ['an id without dots', `export const checks = [${check({ id: 'acme' })}];`, 'is not of the form'],
    ['the word of an area in an id', `export const checks = [${check({ id: 'chat.a' })}];`, 'built-in area'],
    ['the word of an area in a rule', `${rule('CHAT-900')} export const checks = [];`, 'built-in area'],
    ['an unknown rule', `export const checks = [${check({ requirements: ['ACME-001'] })}];`, 'ACME-001'],
    ['an unknown fact', `export const checks = [${check({ needs: ['keys.K9'] })}];`, 'needs keys.K9'],
    ['an unknown kind', `export const checks = [${check({ kind: 'odd' })}];`, 'of no known kind'],
    ['one id twice', `export const checks = [${check({})}, ${check({})}];`, 'two checks acme.a'],
  ])(
    'are refused with a sentence: %s',
    async (_, text, sentence) => {
      const outcome = await runCli(['list', '--checks', fileWith(text)]);
      expect(outcome.stderr).toContain(sentence);
      expect(outcome.code).toBe(2);
    },
    60_000,
  );

  it('are rejected when the file does not exist', async () => {
    const { code, stderr } = await runCli(['run', '--reference', '--checks', join(folder, 'none.ts')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no such file')]);
  }, 60_000);
});
