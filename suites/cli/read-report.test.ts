import fc from 'fast-check';
import { compareReports } from 'gatecheck-reports/comparison';
import { resultOf } from 'gatecheck-reports/published-result';
import { renderComparison } from 'gatecheck-reports/render-comparison';
import type { Report } from 'gatecheck-reports/report';
import { expect, it } from 'vitest';
import { sampleReport } from '../../reports/testing/sample-report.ts';
import { costs } from '../checks/areas.ts';
import type { CheckCosts } from '../plan/check-costs.ts';
import { costsOfReport } from '../plan/costs-of-report.ts';
import { reportFault } from '../wire/report-fault.ts';

const good = sampleReport();
const text = JSON.stringify(good);

/** What commands do with the report of another person. */
const uses: readonly ((report: Report) => unknown)[] = [
  (report) => renderComparison(compareReports(good, report), good, report),
  (report) => renderComparison(compareReports(report, good), report, good),
  (report) => resultOf(report, { implementation: 'x', version: '1', checkIds: 'x' }),
  (report) => costsOfReport(costs as CheckCosts, report),
];

/** The report with another value in one place, drawn by `pick`. */
function mangled(pick: (count: number) => number, value: unknown): Report {
  const report = JSON.parse(text);
  for (let place = report; ; ) {
    const names = Object.keys(place);
    const name = names[pick(names.length)] ?? '';
    const inner = place[name];
    const isLeaf = typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0;
    if (isLeaf || pick(4) === 0) {
      if (value === undefined) delete place[name];
      else place[name] = value;
      return report;
    }
    place = inner;
  }
}

it('what no command can read of a report differs from its schema, so that a sentence can say where', () => {
  const values = fc.constantFrom<unknown>(undefined, null, 7, -1, 'x', true, [], {}, [null], { x: [] });
  fc.assert(
    fc.property(fc.gen(), values, (gen, value) => {
      const report = mangled((count) => gen(fc.nat, { max: Math.max(0, count - 1) }), value);
      for (const use of uses) {
        try {
          use(report);
        } catch {
          expect(reportFault(report)).not.toBeNull();
        }
      }
    }),
    { numRuns: 300 },
  );
});
