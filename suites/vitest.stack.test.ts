import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createSmallGateway, smallGatewayKey } from './cli/testing/small-gateway.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A test file of a stranger: a rule that holds, one that does not, and one that nobody can judge. */
const testFile = (baseUrl: string): string => `
import { defineCheck, defineRequirement, must } from 'gatecheck';
import { judgeChecks } from 'gatecheck/vitest';

const requirements = [
  defineRequirement({ id: 'ACME-001', level: 'MUST', statement: 'A refusal has a status of 4xx.', section: 'own' }),
];
const status = (id, least, needs = []) =>
  defineCheck({
    id, needs, title: 'a refusal is at least ' + least, requirements: ['ACME-001'], kind: 'example',
    run: async ({ http, cases }) => {
      cases.count();
      const exchange = await http.chat({});
      const got = exchange.response?.status ?? 0;
      must(got >= least, { requirement: 'ACME-001', aspect: 'low', expected: 'at least ' + least, actual: String(got), exchange });
    },
  });
judgeChecks(
  [status('acme.holds', 400), status('acme.broken', 500), status('acme.lacks', 400, ['upstream.control'])],
  { baseUrl: '${baseUrl}', key: '${smallGatewayKey}', requirements },
);
`;

it('own checks run as tests under plain vitest: one passes, one fails with its rule, one is skipped', async () => {
  const gateway = createSmallGateway([]).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  // Within the workspace, so that it finds the packages.
  const folder = mkdtempSync(`${root}suites/.own-checks-`);
  onTestFinished(() => {
    gateway.close();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(
    `${folder}/own.test.mjs`,
    testFile(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`),
  );
  writeFileSync(`${folder}/vitest.config.mjs`, 'export default { test: { exclude: [] } };');
  const vitest = `${root}node_modules/vitest/vitest.mjs`;
  const report = `${folder}/report.json`;
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--root', folder, '--reporter=json', '--outputFile', report],
    { stdio: 'ignore', env: { PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true' } },
  );
  const [code] = await once(child, 'close');
  const [file] = JSON.parse(readFileSync(report, 'utf8')).testResults;
  const told = file.assertionResults.map(({ title, status }: Record<string, string>) => [title, status]);
  expect(code).toBe(1);
  expect(told).toEqual([
    ['acme.holds: a refusal is at least 400', 'passed'],
    ['acme.broken: a refusal is at least 500', 'failed'],
    ['acme.lacks: a refusal is at least 400', 'skipped'],
  ]);
  expect(file.assertionResults[1].failureMessages[0]).toContain(
    'ACME-001 low: A refusal has a status of 4xx.',
  );
}, 120_000);
