import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliOutcome, runCli } from '../../suites/cli/testing/run-cli.ts';
import type { Examination } from './examination.ts';
import { gatewaySources } from './gateway-sources.ts';
import { allMutantsOf } from './source-mutants.ts';

const file = 'gateway/endpoints/models.ts';
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-examine-'));
let ids: { seen: string; unseen: string };
let outcome: CliOutcome;
let examination: Examination;

beforeAll(async () => {
  const mutants = await allMutantsOf(gatewaySources().filter(({ path }) => path === file));
  const idOf = (operator: string, part: string): string =>
    mutants.find((one) => one.operator === operator && one.replace.includes(part))?.id ?? 'none';
  ids = {
    seen: idOf('RemovedField', "{ object: 'model',"),
    // A note permits any creation time.
    unseen: idOf('WrongConstant', '1767225601'),
  };
  outcome = await runCli([
    ...['examine', '--only', file, '--mutant', `${ids.seen},${ids.unseen}`],
    ...['--seed', '1', '--looks', '1', '--out', folder],
  ]);
  examination = JSON.parse(readFileSync(join(folder, 'examination.json'), 'utf8')) as Examination;
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('kills a mutant that breaks a rule, by a check that names the rule', () => {
  const killed = examination.mutants.find(({ id }) => id === ids.seen);
  expect(killed?.outcome).toBe('killed');
  expect(killed?.killed_by).toMatchObject({ verdict: 'fail' });
  expect(killed?.judged).toBeLessThan(killed?.checks ?? 0);
});

it('lists a mutant that breaks no rule as a survivor with its note, and exits with 0', () => {
  const survivor = examination.mutants.find(({ id }) => id === ids.unseen);
  expect(survivor).toMatchObject({ outcome: 'survived-equivalent', killed_by: null });
  expect(outcome.stdout).toContain('+const createdS = 1767225601;');
  expect(outcome.stdout).toContain(`examine --mutant ${ids.unseen}`);
  expect(outcome.code).toBe(0);
});

it('keeps the results in the folder when it resumes', async () => {
  const again = await runCli([
    ...['examine', '--only', file, '--mutant', `${ids.seen},${ids.unseen}`],
    ...['--seed', '1', '--looks', '1', '--resume', '--out', folder],
  ]);
  expect(again.code).toBe(0);
  expect(again.stderr).toContain('2 of them examined before');
  expect(JSON.parse(readFileSync(join(folder, 'examination.json'), 'utf8'))).toMatchObject({
    mutants: examination.mutants,
  });
});
