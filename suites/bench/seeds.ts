import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Report } from 'gatecheck-reports/report';
import { loadProfile } from '../profile/load-profile.ts';
import { type Child, startChild } from '../stack/child.ts';
import { differingVerdicts } from './differing-verdicts.ts';

/**
 * Started by hand: `node suites/bench/seeds.ts --seeds 30 -- --size smoke`. Judges the reference by address and key alone
 * with so many seeds, and names what was not judged alike with all of them; what follows `--` are options of `run`. It
 * ends with 1 where there is such a thing, or a run was not green.
 */

const { values: options, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '30' },
    first: { type: 'string', default: '1' },
    /** How many runs at once; each has a stack of its own. */
    beside: { type: 'string', default: '1' },
    out: { type: 'string', default: mkdtempSync(join(tmpdir(), 'gatecheck-seeds-')) },
  },
  allowPositionals: true,
});
const launcher = fileURLToPath(new URL('../cli/gatecheck.mjs', import.meta.url));

process.exitCode = await main();

async function main(): Promise<number> {
  mkdirSync(options.out, { recursive: true });
  const [first, count, beside] = [options.first, options.seeds, options.beside].map(Number) as [
    number,
    number,
    number,
  ];
  const waiting = Array.from({ length: count }, (_, place) => first + place);
  const reports: Report[] = [];
  const lane = async (name: string): Promise<void> => {
    const profile = join(options.out, `${name}.yaml`);
    const up = await startChild({ name: 'gatecheck up', args: [launcher, 'up', '--target-out', profile] });
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
      reports.push(await judged(seed, profile, up));
    await up.stop();
  };
  await Promise.all(Array.from({ length: beside }, (_, place) => lane(`lane-${place + 1}`)));
  const differences = differingVerdicts(reports);
  for (const { id, outcomes } of differences) {
    write(id);
    for (const [words, seeds] of outcomes)
      write(`  ${words} with ${seeds.length} seeds: ${seeds.join(', ')}`);
  }
  const red = reports.filter(({ exit_code: code }) => code !== 0).length;
  write(
    `${reports.length} runs, ${red} not green; ${differences.length} checks and rules judged differently`,
  );
  return red > 0 || differences.length > 0 ? 1 : 0;
}

async function judged(seed: number, profile: string, { ready }: Child): Promise<Report> {
  const out = join(options.out, `seed-${seed}`);
  const { K1 } = loadProfile(profile, {}).keys;
  const args = [
    'run',
    '--base-url',
    String(ready.base_url),
    '--seed',
    String(seed),
    '--out',
    out,
    ...positionals,
  ];
  const child = spawn(process.execPath, [launcher, ...args], {
    stdio: 'ignore',
    env: { ...process.env, GATECHECK_KEY: K1 },
  });
  await once(child, 'close');
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  const load = loadavg()[0]?.toFixed(1);
  write(`seed ${seed}: ${report.headline} ${Math.round(report.duration_ms / 1_000)} s, load ${load}`);
  return report;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
