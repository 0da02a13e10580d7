import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type AdminToken, adminTokensIn } from './config/admin.ts';
import type { Config } from './config.ts';
import { readConfig } from './read-config.ts';

/** The exit code for what the operator has to mend: arguments, configuration, environment. */
export const exitUsage = 2;

/** A start that cannot succeed. The message goes to stderr as it is. */
export class StartFailure extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How a gateway is started. */
interface StartArguments {
  readonly configPath: string;
  readonly exitWithStdin: boolean;
  readonly beginsOnLine: boolean;
}

export function readArguments(): StartArguments {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      'exit-with-stdin': { type: 'boolean', default: false },
      'begin-on-line': { type: 'boolean', default: false },
    },
  });
  if (values.config === undefined) {
    throw new StartFailure(
      'Say which configuration to use: node gateway/main.ts --config gateway.yaml',
      exitUsage,
    );
  }
  return {
    configPath: values.config,
    exitWithStdin: values['exit-with-stdin'],
    beginsOnLine: values['begin-on-line'],
  };
}

/** Waits for a line: whoever starts the gateway may still be finding out what to configure, while its code is loaded. */
export async function lineOnStdin(): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(process.stdin, 'end', { signal }).then(() => process.exit(0));
  await Promise.race([once(process.stdin, 'data', { signal }), ended]);
  ended.catch(() => undefined);
  over.abort();
}

/** @throws StartFailure that names every fault by file, line and path */
export function loadConfig(path: string): Config {
  const reading = readConfig(readFileSync(path, 'utf8'), path);
  if ('faults' in reading) throw new StartFailure(reading.faults.join('\n'), exitUsage);
  if (reading.config.test !== undefined && process.env.NODE_ENV === 'production') {
    throw new StartFailure(
      `${path}: test opens what people must not reach; there can be none where NODE_ENV is production.`,
      exitUsage,
    );
  }
  return reading.config;
}

/** The admin tokens, those of the environment included. @throws StartFailure */
export function tokensOf({ admin }: Config): readonly AdminToken[] {
  const reading = adminTokensIn(admin, process.env);
  if ('faults' in reading) throw new StartFailure(reading.faults.join('\n'), exitUsage);
  return reading.tokens;
}
