import type { DrillReport } from '../drill/drill-report.ts';
import { measureNames } from '../drill/measures.ts';

/** A drill for the tests of its renderings. */
export function sampleDrill(more: Partial<DrillReport> = {}): DrillReport {
  const bin = { ok: 5, failed: 1, bad: 0, p50_s: 0.1, p99_s: 0.4, attempts: 7, failed_attempts: 2 };
  return {
    ...{
      schema: 1,
      kind: 'drill',
      command: 'npx gatecheck drill b5-all-down',
      seed: 1,
      rate: 5,
      seconds: 30,
      speed: 1,
    },
    scenario: { name: 'b5-all-down', description: 'Every channel says that it is unavailable.' },
    target: { name: 'reference', base_url: 'http://127.0.0.1:1' },
    ...{ started_at: '2026-11-26T05:00:00.000Z', duration_ms: 31_000, versions: { gatecheck: '0.1.0' } },
    ...{ exit_code: 1, headline: 'b5-all-down: 1 of 1 thresholds fail.', stopped: null, calls: 180 },
    measures: Object.fromEntries(
      measureNames.map((name) => [name, { value: 2, why: null }]),
    ) as unknown as DrillReport['measures'],
    thresholds: [{ text: 'availability >= 99.5 %', measure: 'availability', holds: false, seen: '2 %' }],
    codes: [{ code: 'ok', calls: 150 }],
    phases: [{ name: 'down', channels: '*', from_s: 0, until_s: 12 }],
    ...{ well_from_s: 12, bin_s: 1, bins: Array.from({ length: 30 }, () => bin) },
    channels: [
      {
        ...{ name: 'duo-alpha-1', attempts: 210, failed: 60 },
        left_alone: [{ from_s: 3, until_s: null }],
        bins: Array.from({ length: 30 }, () => [7, 2] as const),
      },
    ],
    examples: [],
    ...more,
  };
}
