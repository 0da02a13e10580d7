import { allChecks } from '../checks/all-checks.ts';
import { allMutants } from '../checks/all-mutants.ts';
import type { Check } from '../engine/check.ts';
import { loadKnownKills } from './known-kills.ts';

/** A defect inside a gateway needs a process of its own, and minutes where there are many. */
const cheap = new Set(allMutants.filter(({ kind }) => kind !== 'source').map(({ id }) => id));
const known = loadKnownKills();

const isCheap = ({ id }: Check): boolean => (known.get(id) ?? []).some((mutant) => cheap.has(mutant));

/** Whether a test run proves all checks, or half of those whose defects need no gateway of their own. */
const isWhole = process.env.GATECHECK_TEST_SIZE === 'whole';
const half = new Set(allChecks.filter(isCheap).filter((_, place) => place % 2 === 0));

/** The checks that `npm test` proves, and those that it runs on the reference alone. */
export const provedEachTime: readonly Check[] = isWhole ? allChecks : [...half];
export const judgedOnly: readonly Check[] = isWhole ? [] : allChecks.filter((check) => !half.has(check));
