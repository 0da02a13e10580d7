import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { measure, type Sample } from './measure.ts';
import { type Options, readOptions, usage } from './options.ts';
import { pinMyself, startProgram } from './processes.ts';
import { type Row, type Summary, summarise, tableOf } from './table.ts';
import { groups, type Starter, startersOf, type Target } from './targets.ts';
import { type Size, sizes, type Workload } from './workloads.ts';

// Measures every target under every workload in short runs. Each round shuffles their order, so that other load on the
// machine affects all alike. Exits with 1 if any answer was wrong.

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** The targets and workloads of a run. */
interface Plan {
  readonly size: Size;
  readonly workloads: readonly Workload[];
  readonly starters: readonly Starter[];
}

function planOf({ size: name, targets, workloads, seconds, rounds, trees }: Options): Plan {
  const size = sizes[name];
  const all = name === 'quick' && workloads.length > 0 ? sizes.full.workloads : size.workloads;
  return {
    size: { ...size, seconds: seconds ?? size.seconds, rounds: rounds ?? size.rounds },
    workloads: chosen(all, workloads),
    starters: chosen(startersOf(trees), targets),
  };
}

/** The items with one of these names, or else with a name that contains it. */
function chosen<One extends { readonly name: string }>(all: readonly One[], names: readonly string[]): One[] {
  const isNamed = (one: One): boolean =>
    names.some((name) =>
      all.some((other) => other.name === name) ? one.name === name : one.name.includes(name),
    );
  return all.filter((one) => names.length === 0 || isNamed(one));
}

async function measureAll(
  { size }: Plan,
  workloads: readonly Workload[],
  targets: readonly Target[],
): Promise<Row[]> {
  const rows = workloads.flatMap((workload) =>
    targets.map((target) => ({ workload, target, samples: [] as Sample[] })),
  );
  for (const workload of workloads) {
    for (let round = 1; round <= size.rounds; round += 1) {
      for (const row of shuffled(rows.filter((one) => one.workload === workload))) {
        row.samples.push(await measure(row.target, workload, size));
      }
      say(`${workload.name}: round ${round} of ${size.rounds}`);
    }
  }
  return rows.map(({ workload, target, samples }) => ({
    workload: workload.name,
    target: target.name,
    samples,
  }));
}

function shuffled<One>(all: readonly One[]): One[] {
  const keyed = all.map((one) => ({ one, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}

function machine(): string {
  const all = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${all.length} × ${all[0]?.model}, ${memory} GB, ${process.platform}, Node ${process.versions.node}`;
}

async function run(options: Options): Promise<void> {
  const plan = planOf(options);
  const dir = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
  // A PostgreSQL server started by root runs as another user, which needs access.
  chmodSync(dir, 0o711);
  const started: { stop(): Promise<void> }[] = [];
  try {
    const upstream = await startProgram([process.execPath, join(import.meta.dirname, 'upstream.ts')], {
      core: 'other',
      log: join(dir, 'upstream.log'),
    });
    started.push(upstream);
    pinMyself();
    const summaries: Summary[] = [];
    for (const group of groups) {
      const workloads = plan.workloads.filter(({ isPaced = false }) => isPaced === (group === 'paced'));
      if (workloads.length === 0) continue;
      const targets: Target[] = [];
      for (const starter of plan.starters.filter((one) => one.group === group)) {
        const target = await starter.start({ dir, upstream: upstream.line, profile: options.profile });
        say(`${target.name} is up`);
        started.push(target);
        targets.push(target);
      }
      summaries.push(...summarise(await measureAll(plan, workloads, targets), targets[0]?.name ?? ''));
      for (const target of targets) await target.stop();
    }
    process.stdout.write(`${machine()}\n\n${tableOf(summaries)}`);
    if (options.json !== null) {
      writeFileSync(options.json, `${JSON.stringify({ machine: machine(), rows: summaries }, null, 2)}\n`);
    }
    for (const { target, workload, firstFailure } of summaries.filter((row) => row.failures > 0)) {
      say(`${target}, ${workload}: ${firstFailure}`);
      process.exitCode = 1;
    }
  } finally {
    for (const one of started.reverse()) await one.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.list) {
    const { workloads, starters } = planOf(options);
    process.stdout.write([...starters, ...workloads].map(({ name }) => `${name}\n`).join(''));
  } else await run(options);
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 2;
}
