import type { Command } from 'commander';
import { wholeNumber } from '../../suites/cli/option-values.ts';
import type { ExitCode } from '../../suites/process/exit-codes.ts';

/** Loads a command on demand, runs it, and keeps its exit code. */
type Finish = (
  load: () => Promise<(...args: never[]) => Promise<ExitCode>>,
) => (...args: unknown[]) => Promise<void>;

/** Adds the commands of proof/ to those of `gatecheck`, in a clone of the repository. */
export function addCommands(program: Command, finish: Finish): void {
  program
    .command('prove')
    .description('prove that each check fails on a gateway with one defect')
    .option('--only <words>', 'areas, rules, checks or kinds, separated by commas')
    .option('--mutant <ids>', 'these mutants, separated by commas')
    .option('--quick', 'one mutant for each check', false)
    .option('--variants-alone', 'each harmless difference in its own gateway: hours', false)
    .option('--seed <n>', 'seed of everything that is generated', wholeNumber)
    .option('--out <dir>', 'folder of proof.json', 'reports/out')
    .action(finish(async () => (await import('../../proof/cli/prove.ts')).proveCommand));

  program
    .command('examine')
    .description('find defects of the gateway that no check detects')
    .option('--seed <n>', 'seed of the sample and of everything generated', wholeNumber)
    .option('--count <n>', 'number of mutants', wholeNumber, 20)
    .option('--only <words>', 'paths (gateway/billing) or areas, separated by commas')
    .option('--mutant <ids>', 'these mutants, separated by commas')
    .option('--limit <s>', 'seconds for a mutant alone', wholeNumber, 40)
    .option('--looks <n>', '1: without the second round, of all survivors', wholeNumber, 2)
    .option('--reach', 'run only checks that reach a mutant; from 40 mutants on')
    .option('--resume', 'keep earlier results in the folder')
    .option('--out <dir>', 'folder of examination.json', 'reports/out')
    .action(finish(async () => (await import('../../proof/cli/examine.ts')).examineCommand));
}
