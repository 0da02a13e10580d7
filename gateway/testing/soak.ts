import { parseArgs } from 'node:util';
import { percentile, slopeOf } from './load/latencies.ts';
import { handlesOf, runSoak, type Sample, type SoakResult } from './load/run-soak.ts';
import { server, storeKinds } from './store/test-stores.ts';

// `node gateway/testing/soak.ts [--minutes 20] [--rate 200] [--faults 5%] [--streams 50] [--store embedded]`: loads a
// gateway, and reports whether its memory or handles grow. Exits with 1 if they grow, or if it gets slower.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '200' },
    faults: { type: 'string', default: '5%' },
    streams: { type: 'string', default: '50' },
    store: { type: 'string', default: 'embedded' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [forMs, rate, streams] = [Number(values.minutes) * 60_000, Number(values.rate), Number(values.streams)];
const faults = Number(values.faults.replace('%', '')) / 100;
const seed = Number(values.seed);
if (![forMs, rate, streams, faults, seed].every((value) => value >= 0)) {
  process.stderr.write('minutes, rate, faults, streams and seed are numbers.\n');
  process.exit(2);
}
const fresh = values.store === 'postgres' && !server.isMissing ? server.fresh : storeKinds[0]?.fresh;
if (
  fresh === undefined ||
  (values.store !== 'embedded' && (values.store !== 'postgres' || server.isMissing))
) {
  process.stderr.write('store is embedded, or postgres: .ci/postgres run node gateway/testing/soak.ts …\n');
  process.exit(2);
}

const mebibyte = 1024 ** 2;
const mostSlope = 1;
const mostHandles = 5;
const mostGrowth = 2;
const mostDelayMs = 50;
/** The first part fills caches and compiles code. */
const warmPart = 0.25;

const { place, remove } = await fresh();
try {
  const result = await runSoak({
    ...{ place, forMs, rate, faults, streams, seed },
    onSample: (one) => tell(one),
  });
  const faultsFound = judge(result);
  process.stdout.write([...tableOf(result), ...faultsFound, `${faultsFound.length} violations\n`].join('\n'));
  process.exitCode = faultsFound.length === 0 ? 0 : 1;
} finally {
  await remove();
}

function tell({ atMs, heapBytes, rssBytes, handles, delayP99Ms, delayMaxMs, latencies }: Sample): void {
  const cells = [
    `${Math.round(atMs / 1000)} s`.padStart(7),
    `heap ${mb(heapBytes)}`,
    `rss ${mb(rssBytes)}`,
    `handles ${handlesOf({ handles } as Sample)}`,
    `loop p99 ${delayP99Ms.toFixed(0)} most ${delayMaxMs.toFixed(0)} ms`,
    `${latencies.length} answers, p50 ${percentile(latencies, 0.5).toFixed(0)} p99 ${percentile(latencies, 0.99).toFixed(0)} ms`,
  ];
  process.stderr.write(`${cells.join('  ')}\n`);
}

function mb(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MB`;
}

function warmOf({ samples }: SoakResult): readonly Sample[] {
  return samples.slice(Math.floor(samples.length * warmPart));
}

/** Megabytes per minute. */
function heapSlope(result: SoakResult): number {
  return slopeOf(warmOf(result).map(({ atMs, heapBytes }) => [atMs / 60_000, heapBytes / mebibyte]));
}

/** The p99 of the first and the second half of the samples after warm-up. */
function halves(result: SoakResult): readonly [number, number] {
  const warm = warmOf(result);
  const p99 = (some: readonly Sample[]): number =>
    percentile(
      some.flatMap(({ latencies }) => latencies),
      0.99,
    );
  const middle = warm.length >> 1;
  return [p99(warm.slice(0, middle)), p99(warm.slice(middle))];
}

function delayOf(result: SoakResult): number {
  return percentile(
    warmOf(result).map(({ delayP99Ms }) => delayP99Ms),
    0.5,
  );
}

function judge(result: SoakResult): string[] {
  const [first, second] = halves(result);
  const more = handlesOf(result.after) - handlesOf(result.before);
  const { slots, held } = result.left;
  const rules: readonly (readonly [boolean, string])[] = [
    [heapSlope(result) < mostSlope, `the heap grows by ${heapSlope(result).toFixed(2)} MB a minute`],
    [
      more <= mostHandles,
      `${more} handles more than before the load: ${JSON.stringify(result.after.handles)}`,
    ],
    [second <= mostGrowth * first, `p99 went from ${first.toFixed(0)} to ${second.toFixed(0)} ms`],
    [delayOf(result) <= mostDelayMs, `the loop is late by ${delayOf(result).toFixed(0)} ms at p99`],
    [
      result.unexpected.length === 0,
      `${result.unexpected.length} wrong answers, such as ${result.unexpected[0]}`,
    ],
    [slots === 0 && held === '0', `${slots} slots and ${held} dollars are held when nothing is under way`],
    [result.exitCode === 0, `the process ended with ${result.exitCode}`],
  ];
  return rules.flatMap(([isKept, fault]) => (isKept ? [] : [`seed ${seed}: ${fault}`]));
}

function tableOf(result: SoakResult): string[] {
  const { samples, before, after, answers } = result;
  const [first, second] = halves(result);
  const rss = samples.map(({ rssBytes }) => rssBytes);
  const rows: (readonly [string, string])[] = [
    [
      'store, rate, streams, faults, seed',
      `${values.store}, ${rate}/s, ${streams}, ${values.faults}, ${seed}`,
    ],
    ['answers', [...answers].map(([status, count]) => `${status}: ${count}`).join(', ')],
    ['heap after collections, slope', `${heapSlope(result).toFixed(2)} MB a minute`],
    [
      'heap: before, most, after',
      [before.heapBytes, Math.max(...samples.map((one) => one.heapBytes)), after.heapBytes]
        .map(mb)
        .join(', '),
    ],
    [
      'rss: before, warm, last, most',
      [before.rssBytes, warmOf(result)[0]?.rssBytes ?? 0, rss.at(-1) ?? 0, Math.max(...rss)]
        .map(mb)
        .join(', '),
    ],
    [
      'handles: before, most, after',
      `${handlesOf(before)}, ${Math.max(...samples.map(handlesOf))}, ${handlesOf(after)}`,
    ],
    ['p99 of first and second half', `${first.toFixed(0)} ms, ${second.toFixed(0)} ms`],
    [
      'loop delay: p99, longest',
      `${delayOf(result).toFixed(0)} ms, ${Math.max(...samples.map((one) => one.delayMaxMs)).toFixed(0)} ms`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => name.padEnd(width) + value);
}
