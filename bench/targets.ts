import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callerKey, modelsByChunks, writeGatewayConfig } from './gateway-config.ts';
import { type Program, pinned, startProgram } from './processes.ts';
import { nativeModel, type Workload } from './workloads.ts';

/** A running program that answers chat requests. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  /** The process of its database, if that is not its own. */
  readonly storePid: number | null;
  modelOf(workload: Workload): string;
  stop(): Promise<void>;
}

/** What every target is started with. */
export interface Ground {
  /** A directory that is removed at the end. */
  readonly dir: string;
  readonly upstream: string;
  readonly profile: string | null;
}

/** A target that can be started. */
export interface Starter {
  readonly name: string;
  start(ground: Ground): Promise<Target>;
}

const here = import.meta.dirname;
const root = join(here, '..');

/** All targets of this tree, and the gateways of further ones. The first is what the others are compared with. */
export function startersOf(trees: readonly { name: string; dir: string }[]): readonly Starter[] {
  const gatewaysOf = (suffix: string, dir: string): Starter[] => [
    gateway(`gateway embedded${suffix}`, dir, 'embedded', null),
    gateway(`gateway PostgreSQL${suffix}`, dir, 'server', null),
    gateway(`gateway PostgreSQL and slots in memory${suffix}`, dir, 'server', 'memory'),
  ];
  return [
    { name: 'bare proxy', start: startBareProxy },
    ...gatewaysOf('', root),
    ...trees.flatMap(({ name, dir }) => gatewaysOf(` (${name})`, dir)),
    { name: 'Portkey', start: startPortkey },
  ];
}

async function startBareProxy({ dir, upstream }: Ground): Promise<Target> {
  const command = [process.execPath, join(here, 'bare-proxy.ts'), upstream];
  const program = await startProgram(command, { core: 'measured', log: join(dir, 'bare-proxy.log') });
  return {
    ...ofUpstreamModels('bare proxy', program),
    path: '/v1/chat/completions',
    headers: {},
  };
}

async function startPortkey({ dir, upstream }: Ground): Promise<Target> {
  const entry = join(
    dirname(createRequire(import.meta.url).resolve('@portkey-ai/gateway/package.json')),
    'build/start-server.js',
  );
  const preload = join(here, 'on-loopback.mjs');
  const program = await startProgram([process.execPath, '--import', preload, entry, '--headless'], {
    core: 'measured',
    log: join(dir, 'portkey.log'),
  });
  return {
    ...ofUpstreamModels('Portkey', program),
    path: '/v1/chat/completions',
    headers: {
      authorization: 'Bearer the-key-of-the-upstream',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
    },
  };
}

function ofUpstreamModels(name: string, { pid, line, stop }: Program): Omit<Target, 'path' | 'headers'> {
  return { name, url: line, pid, storePid: null, modelOf: ({ chunks }) => nativeModel(chunks), stop };
}

function gateway(name: string, tree: string, store: 'embedded' | 'server', slots: 'memory' | null): Starter {
  return {
    name,
    start: async ({ dir, upstream, profile }) => {
      const own = join(dir, name.replaceAll(/\W+/g, '-'));
      const server = store === 'server' ? startPostgres(`${own}-server`) : null;
      const at = server === null ? { data_dir: join(own, 'data') } : { url: server.url };
      const config = writeGatewayConfig(own, { upstream, store: at, slots });
      const profiling = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`];
      const main = join(tree, 'gateway/main.ts');
      const program = await startProgram([process.execPath, ...profiling, main, '--config', config], {
        core: 'measured',
        log: `${own}.log`,
        cwd: tree,
      });
      const { base_url } = JSON.parse(program.line) as { base_url: string };
      return {
        name,
        url: base_url,
        path: '/api/v1/chat/completions',
        headers: { authorization: `Bearer ${callerKey}` },
        pid: program.pid,
        storePid: server?.pid ?? null,
        modelOf: ({ chunks }) => modelsByChunks[chunks] ?? '',
        stop: async () => {
          await program.stop();
          server?.stop();
        },
      };
    },
  };
}

interface Postgres {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Starts a PostgreSQL server the way the tests do. */
function startPostgres(dir: string): Postgres {
  const script = fileURLToPath(new URL('../.ci/postgres', import.meta.url));
  const run = (...args: readonly string[]): string => {
    const [file = '', ...rest] = [...pinned('other'), script, ...args];
    return execFileSync(file, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  };
  const url = run('start', dir).trim();
  const pid = Number(
    execFileSync('head', ['-n', '1', join(dir, 'data/postmaster.pid')], { encoding: 'utf8' }),
  );
  return { url, pid, stop: () => void run('stop', dir) };
}
