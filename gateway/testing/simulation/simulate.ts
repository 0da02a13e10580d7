import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { allPlanted } from './planted/all-planted.ts';
import { simulate } from './simulation.ts';

// A command: node gateway/testing/simulation/simulate.ts --seeds 50000 [--seed N] [--jobs 2] [--planted NAME]

/** What one worker simulates: every `step`th seed from `first` up to `last`. */
interface Share {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  readonly planted: string | null;
  readonly isTraced: boolean;
}

/** What a worker tells of a seed. */
interface Told {
  readonly seed: number;
  readonly failure: string | null;
  readonly isExpected: boolean;
  readonly steps: number;
  readonly virtualMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly hash: string;
  readonly trace: readonly string[];
}

const shownFailures = 10;
const shownLines = 60;
/** Whoever stops a long run knows by this how far it came. */
const progressEvery = 1_000;
const allLines = 1_000_000;

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function work({ first, last, step, planted: name, isTraced }: Share): Promise<void> {
  // Thousands of errors are part of every scenario, and nobody reads where they were made.
  if (!isTraced) Error.stackTraceLimit = 0;
  const planted = allPlanted.find((one) => one.name === name) ?? null;
  for (let seed = first; seed <= last; seed += step) {
    const run = await simulate(seed, { planted, keptLines: isTraced ? allLines : shownLines });
    const { failure, steps, virtualMs, counts, hash } = run;
    const told: Told = {
      ...{ seed, steps, virtualMs, counts, hash },
      failure: failure === null ? null : failure.message,
      isExpected: planted !== null && failure !== null && planted.violates.test(failure.message),
      trace: failure !== null || isTraced ? run.trace : [],
    };
    parentPort?.postMessage(told);
  }
}

function replayLine(seed: number, planted: string | null): string {
  const flag = planted === null ? '' : ` --planted ${planted}`;
  return `node gateway/testing/simulation/simulate.ts --seed ${seed}${flag}`;
}

async function command(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '300' },
      seed: { type: 'string' },
      from: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '1' },
      planted: { type: 'string' },
    },
  });
  const planted = values.planted ?? null;
  const only = values.seed === undefined ? null : Number(values.seed);
  const first = only ?? Number(values.from);
  const last = only ?? first + Number(values.seeds) - 1;
  const jobs = Math.min(Number(values.jobs), last - first + 1);
  if (![first, last, jobs].every((number) => Number.isInteger(number) && number > 0))
    throw new Error('--seeds, --seed, --from and --jobs are whole numbers above zero');
  if (planted !== null && !allPlanted.some(({ name }) => name === planted))
    throw new Error(`--planted is one of ${allPlanted.map(({ name }) => name).join(', ')}`);
  const sums: Record<string, number> = { seeds: 0, failed: 0, steps: 0, virtual_s: 0 };
  const add = (name: string, by: number): void => {
    sums[name] = (sums[name] ?? 0) + by;
  };
  const workers: Worker[] = [];
  const hear = (told: Told): void => {
    add('seeds', 1);
    if ((sums.seeds ?? 0) % progressEvery === 0)
      process.stderr.write(`${sums.seeds} seeds from ${first}, ${sums.failed} failed\n`);
    add('steps', told.steps);
    add('virtual_s', told.virtualMs / 1000);
    for (const [name, count] of Object.entries(told.counts)) add(name, count);
    if (only !== null) write(`${told.trace.join('\n')}\nhash ${told.hash}`);
    if (told.failure === null) return;
    add('failed', 1);
    if (only === null && (sums.failed ?? 0) <= shownFailures) write(told.trace.join('\n'));
    write(`seed ${told.seed}: ${told.failure}\n  replay: ${replayLine(told.seed, planted)}`);
    // Whoever looks for a planted bug wants to know that it is found, and after how many seeds.
    if (told.isExpected) for (const worker of workers) void worker.terminate();
  };
  const beganMs = performance.now();
  await Promise.all(
    Array.from({ length: jobs }, (_, nth) => {
      const share: Share = { first: first + nth, last, step: jobs, planted, isTraced: only !== null };
      const worker = new Worker(new URL(import.meta.url), { workerData: share });
      workers.push(worker);
      worker.on('message', hear);
      return new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve));
    }),
  );
  const tookS = Math.round((performance.now() - beganMs) / 1000);
  write(JSON.stringify({ ...sums, virtual_s: Math.round(sums.virtual_s ?? 0), took_s: tookS }));
  process.exitCode = (sums.failed ?? 0) > 0 ? 1 : 0;
}

if (isMainThread) await command();
else await work(workerData);
