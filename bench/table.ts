import type { Sample } from './measure.ts';

/** All samples of a target under one workload. */
export interface Row {
  readonly workload: string;
  readonly target: string;
  readonly samples: readonly Sample[];
}

type Figure = { readonly [Key in keyof Sample]: Sample[Key] extends number ? Key : never }[keyof Sample];

/** Medians of one row, with its throughput relative to the first target. */
export interface Summary extends Readonly<Record<Figure, number>> {
  readonly workload: string;
  readonly target: string;
  readonly ratio: number;
  readonly firstFailure: string | null;
}

/** The medians of each row. A ratio is the median of the ratios per round. */
export function summarise(rows: readonly Row[], base: string): Summary[] {
  return rows.map(({ workload, target, samples }) => {
    const beside = rows.find((row) => row.workload === workload && row.target === base)?.samples ?? [];
    const middle = (figure: Figure): number => median(samples.map((sample) => sample[figure]));
    return {
      workload,
      target,
      ratio: median(
        samples.map(({ perSecond }, round) => perSecond / (beside[round]?.perSecond ?? Number.NaN)),
      ),
      firstFailure: samples.find((sample) => sample.firstFailure !== null)?.firstFailure ?? null,
      perSecond: middle('perSecond'),
      failures: samples.reduce((sum, sample) => sum + sample.failures, 0),
      p50Ms: middle('p50Ms'),
      p99Ms: middle('p99Ms'),
      firstP50Ms: middle('firstP50Ms'),
      firstP99Ms: middle('firstP99Ms'),
      cpuMs: middle('cpuMs'),
      storeCpuMs: middle('storeCpuMs'),
      residentBytes: middle('residentBytes'),
      diskBytes: middle('diskBytes'),
    };
  });
}

function median(numbers: readonly number[]): number {
  const ascending = numbers.toSorted((a, b) => a - b);
  const middle = ascending.length / 2;
  return (
    ((ascending[Math.floor(middle)] ?? Number.NaN) + (ascending[Math.ceil(middle) - 1] ?? Number.NaN)) / 2
  );
}

const headings = [
  'load',
  'target',
  'requests/s',
  'ratio',
  'p50 ms',
  'p99 ms',
  'first p50',
  'first p99',
  'CPU ms',
  'store CPU ms',
  'MB',
  'disk KB',
  'failures',
];

/** A Markdown table. */
export function tableOf(summaries: readonly Summary[]): string {
  const lines = summaries.map((row) => [
    row.workload,
    row.target,
    row.perSecond.toFixed(0),
    row.ratio.toFixed(3),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.firstP50Ms.toFixed(2),
    row.firstP99Ms.toFixed(2),
    row.cpuMs.toFixed(3),
    row.storeCpuMs.toFixed(3),
    (row.residentBytes / 2 ** 20).toFixed(0),
    (row.diskBytes / 1024).toFixed(2),
    String(row.failures),
  ]);
  const all = [headings, headings.map((_, at) => (at < 2 ? '---' : '--:')), ...lines];
  return all.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
