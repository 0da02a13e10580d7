import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Report } from 'gatecheck-reports/report';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { type FrontProxy, startFrontProxy } from '../rewrite/front-proxy.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { chanceDialect, relay, sectionOf } from './testing/relay.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-dialect-'));
let stack: Stack;
const fronts: FrontProxy[] = [];
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1 });
}, 180_000);
afterAll(async () => {
  await Promise.all(fronts.map((front) => front.close()));
  await stack.stop();
  rmSync(folder, { recursive: true });
});

const only = 'AUTH,EP,VER,CAT,CHAT,TOOL,RESP,SSE,ERR,COMPB,TASK,STATE';
const absent = ['compat.a', 'webhooks', 'billing'];

async function judge(name: string, baseUrl: string, more: object): Promise<Report> {
  const target = join(folder, `${name}.json`);
  const profile = { name, base_url: baseUrl, keys: { K1: stack.profile.keys.K1 }, absent, ...more };
  writeFileSync(target, JSON.stringify(profile));
  const out = join(folder, name);
  const { code, stderr } = await runCli([
    ...['run', '--target', target, '--only', only, '--out', out],
    ...['--seed', '5', '--size', 'smoke'],
  ]);
  expect([0, 1], stderr).toContain(code);
  return readReport(out);
}

const verdictsOf = ({ checks }: Report) => Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));

it('a lossless random dialect gets the same verdicts as the reference', { timeout: 600_000 }, async () => {
  const plain = await judge('plain', stack.baseUrl, {});
  const [dialect] = fc.sample(chanceDialect, 1);
  if (dialect === undefined) throw new Error('no dialect was drawn');
  const front = await startFrontProxy(stack.baseUrl, new Map([['chance', relay(dialect)]]));
  fronts.push(front);
  const translated = await judge('chance', front.baseUrlOf('chance'), { dialect: sectionOf(dialect) });
  expect(verdictsOf(translated), JSON.stringify(dialect)).toEqual(verdictsOf(plain));
  expect(Object.values(verdictsOf(plain)).filter((verdict) => verdict === 'pass').length).toBeGreaterThan(
    100,
  );
  const undeclared = await runCli([
    'run',
    '--base-url',
    front.baseUrlOf('chance'),
    '--key',
    'x',
    '--out',
    folder,
  ]);
  expect(undeclared.code).toBe(3);
});
