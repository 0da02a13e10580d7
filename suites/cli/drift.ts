import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { programOf } from '../stack/programs.ts';

export interface DriftOptions {
  readonly provider: string;
  readonly model: string;
  readonly key?: string;
  readonly dialect?: string;
  readonly maxCalls: number;
  readonly timeout: number;
  readonly price?: string;
  readonly json: boolean;
}

/** `gatecheck drift`: the comparison is a program of the simulators, whose exit code this is. The key is in no argument. */
export async function driftCommand({ key, json, maxCalls, ...options }: DriftOptions): Promise<ExitCode> {
  const flags = Object.entries({ ...options, 'max-calls': maxCalls }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const env = { ...process.env, ...(key === undefined ? {} : { GATECHECK_PROVIDER_KEY: key }) };
  const args = [programOf('drift'), ...flags, ...(json ? ['--json'] : [])];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return Object.values(exitCodes).find((known) => known === code) ?? exitCodes.harness;
}
