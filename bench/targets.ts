import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callerKey, modelsByChunks, writeGatewayConfig } from './gateway-config.ts';
import { type Program, packagedProgram, pinned, startProgram } from './processes.ts';
import { nativeModel, type Workload } from './workloads.ts';

/** A running program that answers chat requests. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  /** The process of its database, if that is a separate one. */
  readonly storePid: number | null;
  /** Where its database keeps its files, if it has one. */
  readonly storeDir: string | null;
  modelOf(workload: Workload): string;
  stop(): Promise<void>;
}

/** The start parameters of every target. */
export interface Ground {
  /** A directory that is removed afterwards. */
  readonly dir: string;
  readonly upstream: string;
  readonly profile: string | null;
}

/** Gateways forward to the bare upstream; upstreams answer by themselves. The first of a group is its baseline. */
export const groups = ['gateways', 'upstreams', 'paced'] as const;
export type Group = (typeof groups)[number];

/** A target that can be started. Targets of one group are compared with each other. */
export interface Starter {
  readonly name: string;
  readonly group: Group;
  start(ground: Ground): Promise<Target>;
}

const here = import.meta.dirname;
const root = join(here, '..');

/** All targets of this tree, and the gateways of other trees. The first target is the baseline. */
export function startersOf(trees: readonly { name: string; dir: string }[]): readonly Starter[] {
  const gatewaysOf = (suffix: string, dir: string): Starter[] => [
    gateway(`gateway embedded${suffix}`, dir, 'embedded', null),
    gateway(`gateway PostgreSQL${suffix}`, dir, 'server', null),
    gateway(`gateway PostgreSQL and slots in memory${suffix}`, dir, 'server', 'memory'),
  ];
  return [
    { name: 'bare proxy', group: 'gateways', start: startBareProxy },
    ...gatewaysOf('', root),
    ...trees.flatMap(({ name, dir }) => gatewaysOf(` (${name})`, dir)),
    { name: 'Portkey', group: 'gateways', start: startPortkey },
    { name: 'bare upstream', group: 'upstreams', start: startBareUpstream },
    simulators('simulators', root),
    ...trees.map(({ name, dir }) => simulators(`simulators (${name})`, dir)),
    { name: 'aimock', group: 'upstreams', start: startAimock },
    pacedSimulators('simulators, paced', root),
    ...trees.map(({ name, dir }) => pacedSimulators(`simulators, paced (${name})`, dir)),
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
  return {
    name,
    url: line,
    pid,
    storePid: null,
    storeDir: null,
    modelOf: ({ chunks }) => nativeModel(chunks),
    stop,
  };
}

/** The option that docs/gateway.md recommends for high load. */
const asDocumented = ['--max-semi-space-size=64'];

function gateway(name: string, tree: string, store: 'embedded' | 'server', slots: 'memory' | null): Starter {
  return {
    name,
    group: 'gateways',
    start: async ({ dir, upstream, profile }) => {
      const own = join(dir, name.replaceAll(/\W+/g, '-'));
      let server = store === 'server' ? startPostgres(`${own}-server`) : null;
      const at = server === null ? { data_dir: join(own, 'data') } : { url: server.url };
      const config = writeGatewayConfig(own, { upstream, store: at, slots });
      const profiling = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`];
      const main = packagedProgram(tree, 'gateway');
      const program = await startProgram(
        [process.execPath, ...asDocumented, ...profiling, main, '--config', config],
        {
          core: 'measured',
          log: `${own}.log`,
          cwd: tree,
        },
      );
      const { base_url } = JSON.parse(program.line) as { base_url: string };
      return {
        name,
        url: base_url,
        path: '/api/v1/chat/completions',
        headers: { authorization: `Bearer ${callerKey}` },
        pid: program.pid,
        storePid: server?.pid ?? null,
        storeDir: server === null ? join(own, 'data') : `${own}-server`,
        modelOf: ({ chunks }) => modelsByChunks[chunks] ?? '',
        stop: async () => {
          await program.stop();
          server?.stop();
          server = null;
        },
      };
    },
  };
}

const chatPath = '/v1/chat/completions';
/** A model of the simulators. */
const simulatedModel = 'a52-2026-08-07';

async function startBareUpstream({ dir }: Ground): Promise<Target> {
  const command = [process.execPath, join(here, 'upstream.ts')];
  const program = await startProgram(command, { core: 'measured', log: join(dir, 'bare-upstream.log') });
  return { ...ofUpstreamModels('bare upstream', program), path: chatPath, headers: {} };
}

/** The first text is due after 100 ms, and each of the next eight 10 ms later. The end is due after 190 ms. */
const pace = { first_ms: 100, each_ms: 10 };

function pacedSimulators(name: string, tree: string): Starter {
  const start = (ground: Ground): Promise<Target> => {
    const scenario = join(ground.dir, 'paced.yaml');
    // YAML accepts JSON.
    writeFileSync(scenario, JSON.stringify({ name: 'paced', channels: { '*': { latency: pace } } }));
    return simulators(name, tree, ['--scenario', scenario]).start(ground);
  };
  return { name, group: 'paced', start };
}

function simulators(name: string, tree: string, flags: readonly string[] = []): Starter {
  return {
    name,
    group: 'upstreams',
    start: async ({ dir, profile }) => {
      const profiling = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`];
      const main = packagedProgram(tree, 'simulators');
      const command = [process.execPath, ...profiling, main, '--port', '0', ...flags];
      const program = await startProgram(command, { core: 'measured', log: join(dir, `${name}.log`) });
      const { provider_url } = JSON.parse(program.line) as { provider_url: string };
      return {
        ...ofUpstreamModels(name, { ...program, line: provider_url }),
        modelOf: () => simulatedModel,
        path: chatPath,
        headers: { authorization: 'Bearer any' },
      };
    },
  };
}

/** Answers with as many words and stream frames as the simulators. */
async function startAimock({ dir }: Ground): Promise<Target> {
  const fixtures = join(dir, 'aimock.json');
  const answer = { match: { userMessage: 'fox' }, response: { content: 'word of twenty chars'.repeat(20) } };
  writeFileSync(fixtures, JSON.stringify({ fixtures: [answer] }));
  const entry = createRequire(import.meta.url).resolve('@copilotkit/aimock');
  const cli = join(dirname(entry), 'cli.js');
  const preload = join(here, 'on-loopback.mjs');
  const command = [process.execPath, '--import', preload, cli, '-f', fixtures, '--log-level', 'silent'];
  const program = await startProgram(command, { core: 'measured', log: join(dir, 'aimock.log') });
  return {
    ...ofUpstreamModels('aimock', program),
    path: chatPath,
    headers: { authorization: 'Bearer any' },
    modelOf: () => 'gpt-4o',
  };
}

interface Postgres {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Starts a PostgreSQL server as the tests do. */
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
