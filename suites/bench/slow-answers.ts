import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Report } from 'gatecheck-reports/report';
import { isJudged } from 'gatecheck-reports/verdict-words';
import { loadProfile } from '../profile/load-profile.ts';
import { startChild } from '../stack/child.ts';
import { startLateRelay } from './late-relay.ts';

/**
 * Started by hand: `node suites/bench/slow-answers.ts --ms 1500 -- --size smoke --minutes 10`. Judges the reference behind
 * a relay that delays each answer, by address and key alone or, with `--profile`, with everything declared; what follows
 * `--` are options of `run`. Prints how many rules were judged by a check at least, which were not reached, and how long it took.
 */

const { values: options, positionals } = parseArgs({
  options: {
    ms: { type: 'string', default: '1500' },
    profile: { type: 'boolean', default: false },
    out: { type: 'string', default: mkdtempSync(join(tmpdir(), 'gatecheck-slow-')) },
  },
  allowPositionals: true,
});
const launcher = fileURLToPath(new URL('../cli/gatecheck.mjs', import.meta.url));

await main();

async function main(): Promise<void> {
  mkdirSync(options.out, { recursive: true });
  const profilePath = join(options.out, 'target.yaml');
  const up = await startChild({ name: 'gatecheck up', args: [launcher, 'up', '--target-out', profilePath] });
  const relay = await startLateRelay(Number(new URL(String(up.ready.base_url)).port), Number(options.ms));
  const named = options.profile ? ['--target', profilePath] : [];
  const args = ['run', ...named, '--base-url', relay.url, '--out', options.out, ...positionals];
  const { K1 } = loadProfile(profilePath, {}).keys;
  const child = spawn(process.execPath, [launcher, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GATECHECK_KEY: K1, CI: 'true' },
  });
  await once(child, 'close');
  await relay.close();
  await up.stop();
  const report = JSON.parse(readFileSync(join(options.out, 'report.json'), 'utf8')) as Report;
  const judged = new Set(
    report.checks.filter(({ verdict }) => isJudged(verdict)).flatMap(({ requirements }) => requirements),
  ).size;
  const unreached =
    report.notices?.find((text) => text.includes('no check has reached')) ?? 'each rule was reached';
  const lines = [report.headline, `${judged} rules judged; ${unreached}`];
  process.stdout.write(
    `${lines.join('\n')}\n${report.spent?.exchanges ?? 0} exchanges, ${Math.round(report.duration_ms / 1_000)} s\n`,
  );
}
