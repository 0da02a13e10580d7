import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from 'gatecheck-reports/report';

/** The result of one command line call. */
export interface CliOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Calls the command line as a user would, through its launcher. */
export function runCli(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliOutcome> {
  return startCli(args, env).outcome;
}

/** Like `runCli`, for a test that acts while the command runs. */
export function startCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { readonly child: ChildProcess; readonly outcome: Promise<CliOutcome> } {
  const launcher = fileURLToPath(new URL('../gatecheck.mjs', import.meta.url));
  const child = spawn(process.execPath, [launcher, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, CI: 'true' },
  });
  const [stdout, stderr]: Buffer[][] = [[], []];
  child.stdout.on('data', (bytes: Buffer) => stdout?.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr?.push(bytes));
  const outcome = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout: Buffer.concat(stdout ?? []).toString('utf8'),
    stderr: Buffer.concat(stderr ?? []).toString('utf8'),
  }));
  return { child, outcome };
}

/** The machine-readable report in a folder. */
export function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
}
