import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { type CliOutcome, runCli } from '../cli/testing/run-cli.ts';
import type { Proof } from './proof.ts';
import { quickVariants } from './variants.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-proof-'));
let outcome: CliOutcome;
let proof: Proof;

beforeAll(async () => {
  outcome = await runCli(['prove', '--quick', '--seed', '20260807', '--out', folder]);
  proof = JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8')) as Proof;
}, 900_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the quick proof', () => {
  it('is whole', () => {
    expect(proof.gaps).toEqual([]);
    expect(proof).toMatchObject({ whole: true, size: 'quick', seed: 20260807, baseline: [] });
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('The matrix is whole');
  });

  it.each(allChecks)('turns $id red by a mutant for the named reason', ({ id }) => {
    expect(proof.checks.find((check) => check.id === id)?.killed.length).toBeGreaterThan(0);
  });

  it.each(quickVariants)('has no check complain about the variant $id', ({ id }) => {
    const variant = proof.variants.find((one) => one.id === id);
    const apart = allChecks.filter((check) => !check.raw && !check.id.startsWith('faults.'));
    expect(variant?.judged_by).toEqual(expect.arrayContaining(apart.map((check) => check.id)));
    expect(variant?.alarms).toEqual([]);
  });

  it('has each fault judged on one of the variants', () => {
    const judged = proof.variants.flatMap((variant) => variant.judged_by);
    const faults = allChecks.filter((check) => !check.raw && check.id.startsWith('faults.'));
    expect(faults.filter(({ id }) => !judged.includes(id))).toEqual([]);
  });

  it('is written for people too', () => {
    const document = readFileSync(join(folder, 'proof.md'), 'utf8');
    for (const mutant of proof.mutants) expect(document).toContain(`| ${mutant.id} |`);
  });
});
