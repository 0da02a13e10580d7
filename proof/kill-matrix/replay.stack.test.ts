import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReport, runCli } from '../../suites/cli/testing/run-cli.ts';
import { type FrontProxy, startFrontProxy } from '../../suites/rewrite/front-proxy.ts';
import { editAnswer } from '../../suites/rewrite/mutation.ts';
import { type Stack, startStack } from '../../suites/stack/stack.ts';

/** A gateway that fails only sometimes: it counts prompts of more than 50,000 tokens one too high. */
const rareDefect = editAnswer((body) => {
  const usage = body.usage as Record<string, number> | undefined;
  if (usage?.prompt_tokens && usage.prompt_tokens > 50_000) {
    usage.prompt_tokens += 1;
    usage.total_tokens = (usage.total_tokens ?? 0) + 1;
  }
});

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-replay-'));
let stack: Stack;
let proxy: FrontProxy;

beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 2 });
  proxy = await startFrontProxy(stack.baseUrl, new Map([['rare', { answer: rareDefect }]]));
}, 60_000);

afterAll(async () => {
  await proxy.close();
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('the replay command of a failing property runs only the shrunk case', async () => {
  const target = ['--target', stack.profilePath, '--base-url', proxy.baseUrlOf('rare')];
  const first = await runCli([
    'run',
    ...target,
    '--only',
    'resp.usage.verbatim',
    '--seed',
    '3',
    '--full',
    '--out',
    join(folder, 'first'),
  ]);
  expect(first.code).toBe(1);
  const [found] = readReport(join(folder, 'first')).checks;
  expect(found?.failure).toMatchObject({ requirement: 'RESP-022', aspect: 'verbatim' });
  // Shrinking found the smallest prompt that the defect affects.
  expect(found?.failure?.input).toContain('"prompt_tokens":50001');
  expect(first.stdout).toContain(found?.failure?.replay ?? 'no replay line');

  const line = (found?.failure?.replay ?? '').split(' ').slice(2);
  const second = await runCli([...line, '--out', join(folder, 'second')]);
  expect(second.code).toBe(1);
  const [again] = readReport(join(folder, 'second')).checks;
  expect(again?.evidence.property).toMatchObject({ runs: 1, shrinks: 0 });
  expect(again?.failure?.input).toBe(found?.failure?.input);
}, 120_000);
