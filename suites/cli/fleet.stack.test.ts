import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReport, runCli } from './testing/run-cli.ts';

/** Checks that need processes to share state: keys, caps, credits, tasks, breakers, clocks, lost store connections. */
const selection = [
  ...['auth.key.changed', 'auth.ip.halves', 'ep.models.later-steps', 'lim.cap', 'lim.spent', 'lim.credits'],
  ...[
    'state.moves',
    'bill.balance.falls',
    'route.full',
    'route.outage.quick',
    'route.breaker.timelines',
    'faults.b5',
  ],
  ...['chat.minimal.every-model', 'sse.usage', 'err.upstream.account', 'hook.redelivery'],
];

const server = process.env.GATECHECK_TEST_DATABASE_URL ?? '';

describe.skipIf(server === '')('on a PostgreSQL server', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatecheck-fleet-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.for([
    ['two gateways behind a balancer', ['--processes', '2']],
    ['two workers of one gateway', ['--workers', '2']],
  ] as const)(
    '%s satisfy the rules that a single process satisfies',
    { timeout: 600_000 },
    async ([name, flags]) => {
      const out = join(folder, name.replaceAll(' ', '-'));
      const only = ['--only', selection.join(',')];
      const { code, stdout } = await runCli([
        'run',
        '--reference',
        '--store',
        server,
        ...flags,
        ...only,
        '--out',
        out,
      ]);
      expect(code, stdout).toBe(0);
      const { checks } = readReport(out);
      expect(checks.filter(({ verdict }) => verdict === 'untestable')).toEqual([]);
      expect(checks.length).toBeGreaterThan(20);
    },
  );
});

it('several processes without a server are rejected', async () => {
  const { code, stderr } = await runCli(['run', '--reference', '--processes', '2']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('need --store')]);
});
