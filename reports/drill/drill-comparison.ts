import type { DrillReport } from './drill-report.ts';
import { inWords, type MeasureName, measureNames, measures } from './measures.ts';

/** A comparison of two drills. */
export interface DrillComparison {
  readonly rows: readonly ComparedMeasure[];
  /** Thresholds that were met and now fail; and the reverse. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
  /** Differences that make the two less comparable: scenario, seed, rate or length. */
  readonly differences: readonly string[];
}

export interface ComparedMeasure {
  readonly measure: MeasureName;
  readonly older: string;
  readonly newer: string;
  readonly change: 'better' | 'worse' | 'same' | 'unknown';
}

export function compareDrills(older: DrillReport, newer: DrillReport): DrillComparison {
  const fails = (report: DrillReport): Set<string> =>
    new Set(report.thresholds.flatMap(({ text, holds }) => (holds === true ? [] : [text])));
  const [before, after] = [fails(older), fails(newer)];
  const known = new Set(older.thresholds.map(({ text }) => text));
  return {
    rows: measureNames.map((name) => compared(name, older, newer)),
    worse: [...after].filter((text) => !before.has(text)),
    better: [...before].filter((text) => !after.has(text) && known.has(text)),
    differences: differences(older, newer),
  };
}

function compared(measure: MeasureName, older: DrillReport, newer: DrillReport): ComparedMeasure {
  // An older drill may lack measures that were added later.
  const valueIn = ({ measures: measured }: { measures: Partial<DrillReport['measures']> }) =>
    measured[measure]?.value;
  const [one, other] = [valueIn(older), valueIn(newer)];
  const words = (value: number | 'never' | null | undefined): string =>
    typeof value === 'number' ? inWords(measure, value) : (value ?? 'not measured');
  return { measure, older: words(one), newer: words(other), change: changeOf(measure, one, other) };
}

function changeOf(
  measure: MeasureName,
  one: number | 'never' | null | undefined,
  other: number | 'never' | null | undefined,
): ComparedMeasure['change'] {
  if (one === null || other === null || one === undefined || other === undefined) return 'unknown';
  const number = (value: number | 'never'): number => (value === 'never' ? Number.POSITIVE_INFINITY : value);
  const [before, after] = [number(one), number(other)];
  if (inWords(measure, before) === inWords(measure, after)) return 'same';
  return after > before === (measures[measure].better === 'more') ? 'better' : 'worse';
}

function differences(older: DrillReport, newer: DrillReport): string[] {
  const facts = (report: DrillReport): Record<string, string | number> => ({
    scenario: report.scenario.name,
    seed: report.seed,
    rate: report.rate,
    seconds: report.seconds,
  });
  const [one, other] = [facts(older), facts(newer)];
  return Object.keys(one)
    .filter((name) => one[name] !== other[name])
    .map((name) => `${name} ${one[name]} and ${other[name]}`);
}

/** The comparison as text. */
export function renderDrillComparison({ rows, worse, better, differences: apart }: DrillComparison): string {
  const cells = [
    ['', 'old', 'new', ''],
    ...rows.map((row) => [row.measure, row.older, row.newer, marks[row.change]]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const table = cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const list = (title: string, some: readonly string[]): string[] =>
    some.length === 0 ? [] : [`${title}: ${some.join('; ')}`];
  return `${[
    ...list('The two differ in', apart),
    ...table,
    ...list('Fails now', worse),
    ...list('Holds now', better),
  ].join('\n')}\n`;
}

const marks: Readonly<Record<ComparedMeasure['change'], string>> = {
  better: 'better',
  worse: 'worse',
  same: '',
  unknown: '',
};
