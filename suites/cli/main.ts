import { CommanderError } from 'commander';
import {
  type ExitCode,
  exitCodes,
  InterruptedError,
  UnreachableError,
  UsageError,
} from '../process/exit-codes.ts';
import { StartError } from '../stack/child.ts';
import { finish } from './command-options.ts';
import { prepareOutputs } from './output.ts';
import { program } from './program.ts';

/** Runs the command that the arguments name, and converts its error into an exit code. */

prepareOutputs();

try {
  await addCloneCommands();
  await program.parseAsync();
} catch (error) {
  process.exitCode = await exitCodeOf(error);
}

/** `prove` and `examine` change the sources of the gateway, which only a clone of the repository has. */
async function addCloneCommands(): Promise<void> {
  const [asked = '--help'] = process.argv.slice(2);
  const needsClone = ['prove', 'examine'].includes(asked);
  if (!needsClone && !['help', '--help', '-h'].includes(asked)) return;
  const name = 'gatecheck-proof/commands';
  const found: unknown = await import(name).catch(() => null);
  if (found === null && needsClone)
    throw new UsageError(`${asked} changes the sources of the gateway: run it in a clone of the repository`);
  if (found !== null)
    (found as { addCommands(commands: typeof program, run: typeof finish): void }).addCommands(
      program,
      finish,
    );
}

/** The exit code for an error of a command. An error that a user can fix becomes a sentence. */
async function exitCodeOf(error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conforming : exitCodes.usage;
  if (error instanceof UsageError || error instanceof UnreachableError) {
    process.stderr.write(`gatecheck: ${error.message}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.unreachable;
  }
  if (error instanceof InterruptedError) {
    process.stderr.write(`gatecheck: ${error.message}\n`);
    return exitCodes.interrupted;
  }
  if (error instanceof StartError) {
    process.stderr.write(`gatecheck: ${error.message}\n`);
    // Exit codes 2 and 3 of the child are errors that the user can fix: a configuration, a port or data directory in use.
    return error.childCode === 2 || error.childCode === 3 ? exitCodes.usage : exitCodes.harness;
  }
  const fault = await faultInFiles();
  if (fault !== null) {
    process.stderr.write(`gatecheck: ${fault}\n`);
    return exitCodes.usage;
  }
  process.stderr.write(
    `gatecheck: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.harness;
}

/** A file that the command read, and that is not what it says, explains an unexpected error. Null without such a file. */
async function faultInFiles(): Promise<string | null> {
  const { faultInReports } = await import('./read-report.ts');
  return faultInReports();
}
