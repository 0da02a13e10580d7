import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReport } from '../suites/cli/testing/run-cli.ts';
import {
  call,
  folder,
  gatecheck,
  installAll,
  launcher,
  manifestOf,
  modules,
  packages,
  root,
  withChild,
} from './testing/packed-packages.ts';

let names: readonly string[] = [];
beforeAll(() => {
  names = installAll();
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true }));

it('packages contain only JavaScript, declarations and data, and no copy of Node', () => {
  for (const [place, most] of Object.values(packages).entries()) {
    const name = names[place] ?? '';
    const { private: isPrivate, engines, dependencies = {} } = manifestOf(name);
    expect({ isPrivate, engines }).toEqual({ isPrivate: undefined, engines: { node: '>=22.19' } });
    expect(Object.keys(dependencies).filter((one) => /^node(-|$)/.test(one))).toEqual([]);
    const at = join(modules, name);
    const files = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((one) =>
      statSync(join(at, one)).isFile(),
    );
    expect(files.filter((one) => /^(?!dist\/docs\/).*(?<!\.d)\.tsx?$|\.test\.js$/.test(one))).toEqual([]);
    const bytes = files.reduce((sum, one) => sum + statSync(join(at, one)).size, 0);
    expect(bytes, name).toBeLessThan(most);
  }
  const left = Object.keys(packages).flatMap((room) => [`${room}/dist`, `${room}/.package.json.kept`]);
  expect(left.filter((path) => existsSync(join(root, path)))).toEqual([]);
});

it('have pages without a link that leads nowhere', () => {
  const dead = names.flatMap((name) => {
    const at = join(modules, name);
    const pages = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.md'));
    return pages.flatMap((page) =>
      [...readFileSync(join(at, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
        .filter(([, target = '']) => !existsSync(join(at, dirname(page), target)))
        .map(([, target]) => `${name}/${page}: ${target}`),
    );
  });
  expect(dead).toEqual([]);
});

it('judge a deployment by its URL without the packages of the stack, and say what a stack needs', () => {
  // In another directory, because Node also searches packages in parent folders.
  const alone = mkdtempSync(join(tmpdir(), 'gatecheck-alone-'));
  cpSync(join(modules, 'gatecheck'), join(alone, 'node_modules/gatecheck'), { recursive: true });
  for (const name of Object.keys(manifestOf('gatecheck').dependencies ?? {})) {
    mkdirSync(dirname(join(alone, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(alone, 'node_modules', name));
  }
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [join(alone, 'node_modules/gatecheck/cli/gatecheck.mjs'), ...args], {
      cwd: alone,
      encoding: 'utf8',
    });
  const up = start('up');
  expect([up.status, up.stderr]).toEqual([
    2,
    expect.stringContaining('npm install gatecheck-gateway gatecheck-simulators'),
  ]);
  const run = start('run', '--base-url', 'http://127.0.0.1:9', '--key', 'sk-app-none');
  expect(run.status).toBe(3);
  rmSync(alone, { recursive: true });
});

it('starts its stack from its packaged cluster on a machine without a kept one', () => {
  const cache = join(folder, 'cache');
  const env: NodeJS.ProcessEnv = { ...process.env, XDG_CACHE_HOME: cache };
  delete env.NODE_COMPILE_CACHE;
  const args = ['run', '--reference', '--only', 'auth.header.missing', '--out', join(folder, 'first')];
  expect(call(process.execPath, [launcher, ...args], folder, env)).toContain('Conforming: ');
  expect(readdirSync(join(cache, 'gatecheck')).filter((name) => name.startsWith('cluster-'))).toEqual([]);
}, 180_000);

it('has the same checks as the tree', () => {
  const fromTree = call(process.execPath, ['suites/cli/gatecheck.mjs', 'list', '--json'], root);
  expect(JSON.parse(gatecheck('list', '--json'))).toEqual(JSON.parse(fromTree));
}, 60_000);

it('explains that a command needs a clone', () => {
  const { status, stderr } = spawnSync(process.execPath, [launcher, 'prove'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain('in a clone of the repository');
});

it('judges the embedded stack', () => {
  const only = ['ep.models.list', 'sse.usage.running', 'hook.end.signed'];
  const text = gatecheck(
    'run',
    '--reference',
    '--only',
    only.join(','),
    '--seed',
    '1',
    '--out',
    join(folder, 'out'),
  );
  expect(text).toContain('Conforming: ');
  const { checks } = readReport(join(folder, 'out'));
  expect(checks.map(({ verdict }) => verdict)).toEqual(checks.map(() => 'pass'));
  expect(checks.length).toBeGreaterThan(1);
}, 180_000);

it('exports the types that its examples use', () => {
  const options = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    types: ['node'],
    lib: ['es2024', 'esnext.disposable'],
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  );
  expect(call(process.execPath, [join(modules, 'typescript/bin/tsc')], folder)).toBe('');
  writeFileSync(
    join(folder, 'wrong.ts'),
    "import { defineCheck } from 'gatecheck';\ndefineCheck({ id: 'a.b', needs: ['nothing known'] });\n",
  );
  const { status, stdout } = spawnSync(process.execPath, [join(modules, 'typescript/bin/tsc')], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(join(folder, 'wrong.ts'));
  expect(status).not.toBe(0);
  expect(stdout).toContain('wrong.ts(2');
}, 120_000);

it("accepts the user's checks: in lists, explanations, verdicts and reports", () => {
  const own = ['--checks', 'own-checks.ts'];
  expect(gatecheck('list', ...own, '--only', 'ACME')).toContain('acme.errors.short');
  expect(gatecheck('explain', ...own, 'ACME-001')).toContain('acme.errors.short');
  expect(gatecheck('explain', ...own, 'acme.echo.names')).toContain(
    '--checks own-checks.ts --only acme.echo',
  );
  const out = join(folder, 'own');
  const only = 'acme.errors,acme.echo,ep.models.list';
  gatecheck('run', '--reference', ...own, '--only', only, '--out', out);
  const { checks, requirements, command } = readReport(out);
  expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['ep.models.list', 'pass'],
    ['acme.errors.short', 'pass'],
    ['acme.echo.names', 'pass'],
  ]);
  expect(checks.at(-1)?.evidence.cases).toBe(5);
  expect(requirements.find(({ id }) => id === 'ACME-001')?.verdict).toBe('pass');
  expect(command).toContain('--checks own-checks.ts');
}, 180_000);

it('fails a run for a broken rule of its user, with a line that replays it', () => {
  const file = `import { defineCheck, defineRequirement, must } from 'gatecheck';
    export const requirements = [
      defineRequirement({ id: 'ACME-002', level: 'MUST', statement: 'Models are ours.', section: 'Ours' }),
    ];
    export const checks = [
      defineCheck({
        id: 'acme.models.ours', title: 'models are ours', requirements: ['ACME-002'], kind: 'example', needs: [],
        run: async ({ http }) => {
          const exchange = await http.get('/api/v1/models');
          must(false, { requirement: 'ACME-002', aspect: 'not-ours', expected: 'ours', actual: 'theirs', exchange });
        },
      }),
    ];`;
  writeFileSync(join(folder, 'broken.ts'), file);
  const args = [launcher, 'run', '--reference', '--checks', 'broken.ts', '--only', 'acme', '--out', 'broken'];
  expect(spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).status).toBe(1);
  rmSync(join(folder, 'broken.ts'));
  expect(readReport(join(folder, 'broken')).checks[0]).toMatchObject({
    verdict: 'fail',
    failure: {
      requirement: 'ACME-002',
      actual: 'theirs',
      replay: 'npx gatecheck run --reference --checks broken.ts --only acme.models.ours --seed 1',
    },
  });
}, 180_000);

it('has a receiver kit that makes a receiver pass', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const env = { ...process.env, GATECHECK_WEBHOOK_SECRET: secret };
  await withChild([join(folder, 'own-receiver.ts')], env, ({ url }) => {
    const text = call(
      process.execPath,
      [launcher, 'receiver', `${url}`, '--effects', `${url}/processed`],
      folder,
      env,
    );
    expect(text).toContain('The receiver conforms: 16 checks');
  });
}, 180_000);

it("starts simulated upstreams in a user's test, in each runner and on each Node version", () => {
  // Paths of other Node versions, including the oldest supported one, if the machine has them.
  const nodes = [process.execPath, ...(process.env.GATECHECK_TEST_NODES?.split(':') ?? [])];
  for (const node of nodes)
    expect(call(node, ['--test', '--test-reporter=tap', 'own-retry.test.ts'], folder)).toContain('# pass 4');
  writeFileSync(
    join(folder, 'runner.test.mjs'),
    `import { startSimulators } from 'gatecheck-simulators';
    import { useUpstream } from 'gatecheck-simulators/jest';
    import { test } from 'gatecheck-simulators/vitest';
    import { expect, it } from 'vitest';
    test.fails('an unused script', ({ upstream }) => { upstream.on({}, 'never'); });
    it('includes variants, faults and scenarios', async () => {
      expect(typeof useUpstream).toBe('function');
      const simulators = await startSimulators({ controlPort: 0 });
      const { variants } = await (await fetch(simulators.controlUrl + '/variants')).json();
      expect(variants.length).toBeGreaterThan(20);
      await simulators.control.tenant('a').play({ file: 'b1-brownout' });
      await simulators.close();
    });`,
  );
  const vitest = join(modules, 'vitest/vitest.mjs');
  expect(call(process.execPath, [vitest, 'run', 'runner.test.mjs'], folder)).toContain('1 expected fail');
}, 120_000);

it('includes a client of the simulated upstreams', async () => {
  await withChild([launcher, 'simulate'], process.env, (addresses) => {
    const env = {
      ...process.env,
      CONTROL_URL: `${addresses.control_url}`,
      PROVIDER_URL: `${addresses.provider_url}`,
    };
    expect(call(process.execPath, ['own-upstreams.ts'], folder, env)).toBe('2 calls arrived\n');
  });
}, 180_000);
