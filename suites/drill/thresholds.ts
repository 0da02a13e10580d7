import type { JudgedThreshold, Measured } from 'gatecheck-reports/drill/drill-report';
import {
  inWords,
  type MeasureName,
  measureNames,
  measures,
  type Unit,
} from 'gatecheck-reports/drill/measures';
import { UsageError } from '../process/exit-codes.ts';

/** A bound on one measure of a drill. */
export interface Threshold {
  readonly text: string;
  readonly measure: MeasureName;
  readonly holds: (value: number) => boolean;
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '>=': (value, bound) => value >= bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '<': (value, bound) => value < bound,
  '=': (value, bound) => value === bound,
};

/** The units of a number, each with its factor to the unit of the measure. */
const factors: Readonly<Record<string, { readonly unit: Unit; readonly factor: number }>> = {
  '%': { unit: '%', factor: 1 },
  s: { unit: 's', factor: 1 },
  ms: { unit: 's', factor: 0.001 },
  min: { unit: 's', factor: 60 },
  $: { unit: '$', factor: 1 },
  '': { unit: '', factor: 1 },
};

const form = /^([a-z][a-z0-9 ]*?)\s*(>=|<=|>|<|=)\s*(\$?)\s*(\d+(?:\.\d+)?)\s*(%|ms|s|min)?$/;

/**
 * Reads a threshold such as `availability >= 99.5 %`.
 * @throws UsageError when it is no bound on a known measure
 */
export function readThreshold(text: string): Threshold {
  const [, name = '', comparison = '', dollar = '', number = '', suffix = ''] = form.exec(text.trim()) ?? [];
  if (name === '')
    throw new UsageError(`threshold ${JSON.stringify(text)}: write it as "availability >= 99.5 %"`);
  const measure = measureNames.find((known) => known === name);
  if (measure === undefined)
    throw new UsageError(
      `threshold ${JSON.stringify(text)}: ${name} is not measured: give one of ${measureNames.join(', ')}`,
    );
  const { unit } = measures[measure];
  const given = factors[dollar + suffix];
  if (given?.unit !== unit)
    throw new UsageError(`threshold ${JSON.stringify(text)}: ${unitWords(measure, unit)}`);
  const bound = Number(number) * given.factor;
  const compare = comparisons[comparison] as (value: number, bound: number) => boolean;
  return { text: text.trim(), measure, holds: (value) => compare(value, bound) };
}

function unitWords(measure: MeasureName, unit: Unit): string {
  switch (unit) {
    case '':
      return `${measure} is a number without a unit`;
    case 's':
      return `${measure} is a time: give ms, s or min`;
    case '%':
      return `${measure} is a share: give %`;
    case '$':
      return `${measure} is an amount: give $0.01`;
  }
}

/** Above this delay of its calls the machine is too busy, so times say nothing about the gateway, ms. */
const tooLateMs = 250;

/**
 * Compares a threshold with a measured value. A threshold on times does not fail on a machine that is itself too slow:
 * `lateMs` is the delay of its calls.
 */
export function judgeThreshold(
  { text, measure, holds }: Threshold,
  measured: Measured,
  lateMs: number,
): JudgedThreshold {
  if (measured.value === null) return { text, measure, holds: null, seen: measured.why };
  const value = measured.value === 'never' ? Number.POSITIVE_INFINITY : measured.value;
  const [seen, isMet] = [inWords(measure, value), holds(value)];
  // A breaker that never opens is no matter of speed.
  const mayBeSlow = ofTime.includes(measure) && (Number.isFinite(value) || measure === 'recovery');
  if (isMet || lateMs <= tooLateMs || !mayBeSlow) return { text, measure, holds: isMet, seen };
  const late = inWords('p99', lateMs / 1_000);
  return {
    text,
    measure,
    holds: null,
    seen: `${seen}, on a machine too busy for it: calls went out ${late} late`,
  };
}

/** Measures that a slow machine changes. Availability is one of them, because callers give up. */
const ofTime: readonly MeasureName[] = [
  ...(['availability', 'p50', 'p99'] as const),
  ...(['first chunk p50', 'first chunk p75', 'first chunk p99'] as const),
  ...(['open', 'probe', 'recovery'] as const),
];
