import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Proof } from './proof.ts';

/**
 * `node suites/proof/note-kills.ts reports/out/proof.json` records which mutants each check killed in a full
 * proof.
 * Quick proofs try these first. A few are kept for each check, preferably mutants that need no separate
 * gateway.
 */
const kept = 8;

const proof = JSON.parse(readFileSync(process.argv[2] ?? 'reports/out/proof.json', 'utf8')) as Proof;
const own = new Set(proof.mutants.filter((mutant) => mutant.kind === 'source').map((mutant) => mutant.id));
const reach = new Map(proof.mutants.map((mutant) => [mutant.id, mutant.killed_by.length]));
const cost = (id: string): number => (own.has(id) ? 1_000 : 0) - (reach.get(id) ?? 0);
const kills = proof.checks
  .filter((check) => check.killed.length > 0)
  .map((check) => [check.id, check.killed.toSorted((a, b) => cost(a) - cost(b)).slice(0, kept)]);
writeFileSync(
  fileURLToPath(new URL('./known-kills.json', import.meta.url)),
  `${JSON.stringify(Object.fromEntries(kills), null, 2)}\n`,
);
