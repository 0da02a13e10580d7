import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliOutcome, runCli } from '../../suites/cli/testing/run-cli.ts';
import { provedEachTime } from '../testing/proved-each-time.ts';
import { combinedVariants } from '../variants/variants.ts';
import type { Proof } from './proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-proof-'));
let outcome: CliOutcome;
let proof: Proof;

beforeAll(async () => {
  const only = provedEachTime.map(({ id }) => id).join(',');
  outcome = await runCli(['prove', '--quick', '--seed', '20260807', '--only', only, '--out', folder]);
  proof = JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8')) as Proof;
}, 3_600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the quick proof', () => {
  it('is complete', () => {
    expect(proof.gaps).toEqual([]);
    expect(proof).toMatchObject({ whole: true, size: 'quick', seed: 20260807, baseline: [] });
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('The matrix is whole');
  });

  it.each(provedEachTime)('makes $id fail on a mutant for the named reason', ({ id }) => {
    expect(proof.checks.find((check) => check.id === id)?.killed.length).toBeGreaterThan(0);
  });

  it.each(combinedVariants)('makes no check fail on the variant $id', ({ id }) => {
    expect(proof.variants.find((one) => one.id === id)?.alarms).toEqual([]);
  });

  it('judges each check on one of the variants', () => {
    const judged = proof.variants.flatMap((variant) => variant.judged_by);
    const apart = provedEachTime.filter((check) => !check.raw);
    expect(apart.filter(({ id }) => !judged.includes(id))).toEqual([]);
  });

  it('is also written as text', () => {
    const document = readFileSync(join(folder, 'proof.md'), 'utf8');
    for (const mutant of proof.mutants) expect(document).toContain(`| ${mutant.id} |`);
  });
});
