/** The measures of a drill: name in thresholds, meaning, unit, and whether more is better. */
export interface Measure {
  readonly title: string;
  readonly unit: Unit;
  readonly better: 'more' | 'less';
}

export type Unit = '%' | 's' | '$' | '';

export const measures = {
  availability: { title: 'Calls that got a whole and right answer', unit: '%', better: 'more' },
  p50: { title: 'Median time until a call was over', unit: 's', better: 'less' },
  p99: { title: 'Time within which 99 of 100 calls were over', unit: 's', better: 'less' },
  'first chunk p50': { title: 'Median time until the first text of a stream', unit: 's', better: 'less' },
  'first chunk p75': {
    title: 'Time within which three of four streams began their text',
    unit: 's',
    better: 'less',
  },
  'first chunk p99': {
    title: 'Time within which 99 of 100 streams began their text',
    unit: 's',
    better: 'less',
  },
  attempts: { title: 'Upstream requests for each call, on average', unit: '', better: 'less' },
  'most attempts': { title: 'Upstream requests for one call, at most', unit: '', better: 'less' },
  rescued: {
    title: 'Calls whose first upstream request failed, and that got a good answer all the same',
    unit: '%',
    better: 'more',
  },
  retried: { title: 'Calls with more than one upstream request', unit: '%', better: 'less' },
  open: {
    title: 'Longest time from the first failure of a channel until its breaker opened',
    unit: 's',
    better: 'less',
  },
  probe: {
    title: 'Longest time until an open channel was probed',
    unit: 's',
    better: 'less',
  },
  recovery: {
    title: 'Time from the moment when the upstreams were well until the last call that failed',
    unit: 's',
    better: 'less',
  },
  wrong: {
    title: 'Answers with status 200 that break a rule, or are not what the upstream said',
    unit: '',
    better: 'less',
  },
  truncated: { title: 'Answers with status 200 that lack their end', unit: '', better: 'less' },
  'cost of failures': {
    title: 'What calls without a good answer and failed tasks were charged',
    unit: '$',
    better: 'less',
  },
  'lost events': { title: 'Tasks that ended without an event of it', unit: '', better: 'less' },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

export const measureNames = Object.keys(measures) as MeasureName[];

/** A value in readable form; `never` for a time without an end. */
export function inWords(name: MeasureName, value: number): string {
  const { unit } = measures[name];
  if (!Number.isFinite(value)) return 'never';
  switch (unit) {
    case '%':
      return `${rounded(value, 2)} %`;
    case 's':
      return value < 1 ? `${Math.round(value * 1000)} ms` : `${rounded(value, 2)} s`;
    case '$':
      return `$${rounded(value, 6)}`;
    case '':
      return String(rounded(value, 2));
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
