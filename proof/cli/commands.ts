import type { Command } from 'commander';
import { wholeNumber } from '../../suites/cli/option-values.ts';
import type { ExitCode } from '../../suites/process/exit-codes.ts';

/** Loads a command when it is asked for, runs it, and keeps its exit code. */
type Finish = (
  load: () => Promise<(...args: never[]) => Promise<ExitCode>>,
) => (...args: unknown[]) => Promise<void>;

/** Adds the commands of this room to those of `gatecheck`, in a clone of the repository. */
export function addCommands(program: Command, finish: Finish): void {
  program
    .command('prove')
    .description(
      'prove that every check can fail: run them against gateways with one defect each, and against harmless variants',
    )
    .option('--only <words>', 'as for run: the checks to prove')
    .option('--quick', 'one mutant for each check instead of all', false)
    .option(
      '--variants-alone',
      'each harmless difference in a gateway of its own: hours in place of minutes',
      false,
    )
    .option('--seed <n>', 'seed of everything that is generated', wholeNumber)
    .option('--out <dir>', 'folder for proof.json', 'reports/out')
    .action(finish(async () => (await import('../../proof/cli/prove.ts')).proveCommand));

  program
    .command('examine')
    .description(
      "change the gateway's own source at places that a seed draws, and show the changes that no check sees",
    )
    .option('--seed <n>', 'seed of the sample and of everything that is generated', wholeNumber)
    .option('--count <n>', 'how many mutants to draw', wholeNumber, 20)
    .option(
      '--only <words>',
      'where to draw: beginnings of paths (gateway/billing), or areas; separated by commas',
    )
    .option('--mutant <ids>', 'these mutants instead of a sample, separated by commas')
    .option('--limit <s>', 'how long the checks may look at one mutant alone, seconds', wholeNumber, 40)
    .option('--looks <n>', '1: leave out the second look, at the survivors together', wholeNumber, 2)
    .option(
      '--reach',
      'first find out which checks run which place, and ask only those: pays from 40 mutants on',
    )
    .option('--resume', 'keep what the folder already has of these mutants')
    .option('--out <dir>', 'folder for examination.json', 'reports/out')
    .action(finish(async () => (await import('../../proof/cli/examine.ts')).examineCommand));
}
