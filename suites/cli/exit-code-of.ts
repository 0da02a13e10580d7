import { CommanderError } from 'commander';
import {
  type ExitCode,
  exitCodes,
  InterruptedError,
  UnreachableError,
  UsageError,
} from '../process/exit-codes.ts';
import { StartError } from '../stack/child.ts';

/** The exit code for what a command threw; what a user can mend is said in a sentence. */
export function exitCodeOf(error: unknown): ExitCode {
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
    // 2 and 3 are its own words for what the user can mend: a configuration, a port or a data directory that is taken.
    return error.childCode === 2 || error.childCode === 3 ? exitCodes.usage : exitCodes.harness;
  }
  process.stderr.write(
    `gatecheck: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.harness;
}
