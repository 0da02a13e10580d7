import { allChecks } from '../../suites/checks/all-checks.ts';
import type { Check } from '../../suites/engine/check.ts';
import { provesAll } from '../../suites/testing/test-size.ts';
import { judgesOf } from '../kill-matrix/plan.ts';
import { allMutants } from '../mutants/all-mutants.ts';

/** Source mutants need separate processes, and many of them take minutes. */
const cheap = allMutants.filter(({ kind }) => kind !== 'source');
const isCheap = (check: Check): boolean => cheap.some((mutant) => judgesOf(mutant, [check]).length > 0);
const some = new Set(allChecks.filter(isCheap).filter((_, place) => place % 20 === 0));

/** The checks that a test run proves to fail: all on request, otherwise a twentieth of those with a cheap mutant. */
export const provedEachTime: readonly Check[] = provesAll ? allChecks : [...some];
/**
 * A third of the other checks, which a test run judges only on the reference. Another test judges all checks in the smallest
 * size.
 */
export const judgedOnly: readonly Check[] = provesAll
  ? []
  : allChecks.filter((check) => !some.has(check)).filter((_, place) => place % 3 === 0);
