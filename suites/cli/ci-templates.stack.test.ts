import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly name: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const workspace = mkdtempSync(join(tmpdir(), 'gatecheck-ci-'));
afterAll(() => rmSync(workspace, { recursive: true }));

const readYaml = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'));

function shell(
  script: string,
  env: NodeJS.ProcessEnv,
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: workspace,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
}

it('the GitHub action judges, annotates and extends the job summary', () => {
  const { inputs, runs } = readYaml('action.yml') as Action;
  const given: Readonly<Record<string, string>> = {
    args: `--reference --only ep.models.list,sse.usage.running`,
  };
  const judge = runs.steps.find(({ name }) => name === 'judge');
  // The first step installs packages that this clone already has.
  expect(runs.steps.map(({ name }) => name)).toEqual(['install', 'judge']);
  const env = Object.entries(judge?.env ?? {}).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
    expect(Object.keys(inputs)).toContain(input);
    return [name, given[input] ?? inputs[input]?.default];
  });
  const [summary, outputs] = [join(workspace, 'summary'), join(workspace, 'outputs')];
  const { status, stdout } = shell(judge?.run ?? '', {
    ...Object.fromEntries(env),
    ...{ GITHUB_ACTION_PATH: root, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
    GITHUB_OUTPUT: outputs,
  });
  expect(status).toBe(0);
  expect(stdout).toContain('Conforming: 2 checks judged');
  expect(readFileSync(outputs, 'utf8')).toMatch(/^verdict=conforming\npassed=2\n/);
  expect(readFileSync(summary, 'utf8')).toContain('## Gatecheck');
  expect(existsSync(join(workspace, inputs.out?.default ?? '', 'report.html'))).toBe(true);
}, 180_000);

it('the GitLab job leaves the reports that it names', () => {
  const job = (readYaml('ci/gitlab.yml') as Record<string, unknown>)['.gatecheck'] as {
    variables: Record<string, string>;
    script: string[];
    artifacts: { paths: string[]; reports: Record<string, string> };
  };
  const [install, judge = ''] = job.script;
  expect(install).toMatch(/^npm install /);
  mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(root, 'suites/cli/gatecheck.mjs'), join(workspace, 'node_modules/.bin/gatecheck'));
  const untold = shell(judge, job.variables);
  expect([untold.status, untold.stderr]).toEqual([2, expect.stringContaining('no target')]);
  const { status } = shell(judge, {
    ...job.variables,
    ...{ GITLAB_CI: 'true', GATECHECK_OPTIONS: '--reference --only ep.models.list' },
  });
  expect(status).toBe(0);
  for (const path of [...job.artifacts.paths, ...Object.values(job.artifacts.reports)])
    expect(existsSync(join(workspace, path)), path).toBe(true);
}, 180_000);
