import type { Command } from 'commander';
import type { ExitCode } from '../process/exit-codes.ts';
import { repeated, sizeOption } from './option-values.ts';

/** Loads a command only when it runs (most need no test runner), runs it, and keeps its exit code. */
export const finish =
  (load: () => Promise<(...args: never[]) => Promise<ExitCode>>) =>
  async (...args: unknown[]): Promise<void> => {
    const command = await load();
    process.exitCode = await command(...(args as never[]));
  };

/** Adds the options that name a deployment. */
export function ofDeployment(command: Command, baseUrl = 'URL of the deployment'): Command {
  return command
    .option('--target <file>', 'profile of the deployment (YAML), else gatecheck.yaml')
    .option('--reference', 'judge the reference stack instead')
    .option('--base-url <url>', baseUrl)
    .option('--key <key>', 'business key, before the profile and GATECHECK_KEY')
    .option('--header <name: value>', 'header for each request to the deployment; repeatable', repeated)
    .option('--ca <file>', 'extra certificate authority (PEM)');
}

/** Adds the options that select checks, and how many of their cases. */
export function ofSelection(command: Command): Command {
  return command
    .option('--checks <file>', 'file with your own checks; repeatable', repeated)
    .option('--only <words>', 'areas, rules, checks or kinds, separated by commas')
    .option('--exclude <words>', 'checks to leave out, named as in --only')
    .option('--only-failed <file>', 'only the failures of an earlier report, with its seed')
    .option('--shard <i/n>', 'a part of the checks, for several machines: 1/3')
    .addOption(sizeOption('cases of each check, else quick'))
    .option('--full', 'the same as --size full', false);
}
