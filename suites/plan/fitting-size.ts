import type { Size } from 'gatecheck-reports/report';
import type { Plan } from './plan.ts';

/** What a user said of the size of a run. */
export interface SizeWords {
  readonly full: boolean;
  readonly size?: Size;
}

/** The size of a run: smoke where it has so little time that the quick one would reach few rules, and none is asked for. */
export function fittingSize(
  { full, size }: SizeWords,
  minutes: number | undefined,
  planIn: (size: Size) => Pick<Plan, 'ms'>,
): Size {
  if (full) return 'full';
  if (size !== undefined || minutes === undefined) return size ?? 'quick';
  return planIn('quick').ms <= minutes * 60_000 ? 'quick' : 'smoke';
}
