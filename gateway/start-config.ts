import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type AdminToken, adminTokensIn } from './config/admin.ts';
import type { Config } from './config.ts';
import type { ConfigReading } from './read-config.ts';
import { readJsonConfig } from './read-json-config.ts';
import { mostBytes, readNamedFile, whyUnread } from './read-named-file.ts';
import type { PoolLimits } from './store/connection-pool.ts';

/** Exit code for errors that the operator must fix: arguments, configuration, environment. */
export const exitUsage = 2;

/** A start that cannot succeed. The message is printed to stderr unchanged. */
export class StartFailure extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Options for starting a gateway. */
interface StartArguments {
  readonly configPath: string;
  readonly exitWithStdin: boolean;
  readonly beginsOnLine: boolean;
}

const usage = `Starts the gateway and prints {"base_url":"…"} once it serves:
  node gateway/main.ts --config gateway.yaml [--exit-with-stdin]
  --config           the configuration; gateway/example.yaml explains it
  --exit-with-stdin  end when standard input is closed, and so with the parent process
`;

export function readArguments(): StartArguments {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      'exit-with-stdin': { type: 'boolean', default: false },
      'begin-on-line': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
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

/** Waits for a line from the parent process, which may still write the configuration while this process loads its code. */
export async function lineOnStdin(): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(process.stdin, 'end', { signal }).then(() => process.exit(0));
  await Promise.race([once(process.stdin, 'data', { signal }), ended]);
  ended.catch(() => undefined);
  over.abort();
}

/** @throws StartFailure that names the file and why it cannot be read */
export function readConfigText(path: string): string {
  try {
    return readNamedFile(path, mostBytes.config);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartFailure(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${whyUnread(error)}).`,
      exitUsage,
    );
  }
}

/**
 * Parses a configuration text; messages name the file as `path`.
 * @throws StartFailure that lists every error by file, line and path
 */
export async function parseConfig(text: string, path: string): Promise<Config> {
  const reading = await readingOf(text, path);
  if ('faults' in reading) throw new StartFailure(reading.faults.join('\n'), exitUsage);
  const { config } = reading;
  const refuse = (reason: string): never => {
    throw new StartFailure(`${path}: ${reason}`, exitUsage);
  };
  if (config.test !== undefined && process.env.NODE_ENV === 'production')
    refuse('test opens what people must not reach; there can be none where NODE_ENV is production.');
  if (config.workers > 1 && serverUrl(config) === undefined)
    refuse(
      `workers is ${config.workers}, but an embedded store belongs to one process: name a PostgreSQL server by store.url or the environment DATABASE_URL, or leave workers out.`,
    );
  if (config.workers > 1 && config.slots === 'memory')
    refuse('slots: memory counts in each process for itself; with workers it must be database.');
  return config;
}

/** Loads the YAML parser on first use. */
async function readingOf(text: string, path: string): Promise<ConfigReading> {
  const config = readJsonConfig(text, path);
  if (config !== null) return { config };
  const { readConfig } = await import('./read-config.ts');
  return readConfig(text, path);
}

/** Whether an unparsed configuration is likely to use an embedded store. */
export function seemsEmbedded(text: string): boolean {
  return !process.env.DATABASE_URL && /\bdata_dir\b/.test(text);
}

/** The URL of the database server from configuration or environment; none if the store is embedded. */
export function serverUrl({ store }: Pick<Config, 'store'>): string | undefined {
  return process.env.DATABASE_URL || store.url;
}

/** The URL of the server itself if {@link serverUrl} points to a pooler. */
export function sessionUrl({ store }: Pick<Config, 'store'>): { sessionUrl?: string } {
  const url = process.env.DATABASE_SESSION_URL || store.session_url;
  return url === undefined ? {} : { sessionUrl: url };
}

export function poolLimits(store: Config['store']): PoolLimits {
  return {
    connections: store.connections,
    connectTimeoutMs: store.connect_timeout_ms,
    statementTimeoutMs: store.statement_timeout_ms,
  };
}

/**
 * The admin tokens from configuration and environment.
 * @throws StartFailure
 */
export function tokensOf({ admin }: Config): readonly AdminToken[] {
  const reading = adminTokensIn(admin, process.env);
  if ('faults' in reading) throw new StartFailure(reading.faults.join('\n'), exitUsage);
  return reading.tokens;
}
