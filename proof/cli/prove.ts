import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allChecks } from '../../suites/checks/all-checks.ts';
import { catchInterrupts } from '../../suites/cli/interrupt.ts';
import { openFolder } from '../../suites/cli/output-places.ts';
import { type ExitCode, exitCodes, UsageError } from '../../suites/process/exit-codes.ts';
import { loadRegister } from '../../suites/rules/register.ts';
import { selectChecks } from '../../suites/runner/select.ts';
import { meant } from '../../suites/values/nearest.ts';
import type { Mutant } from '../edits/mutant.ts';
import { keepKills } from '../kill-matrix/known-kills.ts';
import { judgesOf } from '../kill-matrix/plan.ts';
import { proveChecks } from '../kill-matrix/prove.ts';
import { renderProofMarkdown, renderProofText } from '../kill-matrix/render-proof.ts';
import { allMutants } from '../mutants/all-mutants.ts';
import { allVariants, combinedVariants } from '../variants/variants.ts';
import { ProofProgress } from './proof-progress.ts';

export interface ProveCommandOptions {
  readonly only?: string;
  /** Ids of the mutants to run, with every selected check that may kill one of them. Without it: those of the checks. */
  readonly mutant?: string;
  readonly quick: boolean;
  /** Whether each harmless difference gets its own gateway: about fifty gateways instead of two that have all differences. */
  readonly variantsAlone: boolean;
  readonly seed?: number;
  readonly out: string;
}

/** `gatecheck prove`: shows that the checks can fail and raise no false alarms, and writes the kill matrix. */
export async function proveCommand(options: ProveCommandOptions): Promise<ExitCode> {
  const selected = selectChecks(allChecks, loadRegister(), options.only ?? null);
  const chosen = options.mutant === undefined ? null : chosenMutants(options.mutant);
  const mutants = (chosen ?? allMutants).filter((mutant) => judgesOf(mutant, selected).length > 0);
  const checks =
    chosen === null
      ? selected
      : selected.filter((check) => mutants.some((one) => judgesOf(one, [check]).length > 0));
  const variants = chosen !== null ? [] : options.variantsAlone ? allVariants : combinedVariants;
  const seed = options.seed ?? randomInt(2 ** 31);
  openFolder(options.out);
  const interrupts = catchInterrupts();
  const progress = new ProofProgress(process.stderr, process.env);
  process.stderr.write(
    `Proving ${checks.length} checks with ${mutants.length} mutants and ${variants.length} variants, ${options.quick ? 'quick' : 'full'}, seed ${seed}\n`,
  );
  try {
    const proof = await proveChecks({
      checks,
      everyCheck: allChecks,
      mutants,
      variants,
      onlyMutants: chosen !== null,
      quick: options.quick,
      seed,
      signal: interrupts.signal,
      onPart: (runs, title) => progress.part(runs, title),
      onResult: () => progress.step(),
    });
    progress.end();
    keepKills(proof);
    const file = join(options.out, 'proof.json');
    writeFileSync(file, `${JSON.stringify(proof, null, 2)}\n`);
    writeFileSync(join(options.out, 'proof.md'), renderProofMarkdown(proof));
    process.stdout.write(`${renderProofText(proof)}The matrix is in ${file} and proof.md beside it.\n`);
    if (proof.interrupted) return exitCodes.interrupted;
    return proof.whole ? exitCodes.conforming : exitCodes.failures;
  } finally {
    interrupts.release();
  }
}

/** @throws UsageError for an id that no mutant has */
function chosenMutants(ids: string): Mutant[] {
  return ids.split(',').map((text) => {
    const id = text.trim();
    const mutant = allMutants.find((one) => one.id === id);
    if (mutant === undefined)
      throw new UsageError(
        `--mutant ${id}: there is none of this id${meant(
          id,
          allMutants.map((one) => one.id),
        )}`,
      );
    return mutant;
  });
}
