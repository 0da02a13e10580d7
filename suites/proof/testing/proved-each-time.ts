import { allChecks } from '../../checks/all-checks.ts';
import { allMutants } from '../../checks/all-mutants.ts';
import type { Check } from '../../engine/check.ts';
import { provesAll } from '../../testing/test-size.ts';
import { loadKnownKills } from '../known-kills.ts';

/** A defect inside a gateway needs a process of its own, and minutes where there are many. */
const cheap = new Set(allMutants.filter(({ kind }) => kind !== 'source').map(({ id }) => id));
const known = loadKnownKills();

const isCheap = ({ id }: Check): boolean => (known.get(id) ?? []).some((mutant) => cheap.has(mutant));
const half = new Set(allChecks.filter(isCheap).filter((_, place) => place % 2 === 0));

/** The checks that a test run shows to fail: all where that is asked for, else half of those with a cheap mutant. */
export const provedEachTime: readonly Check[] = provesAll ? allChecks : [...half];
/** The other checks, which a test run judges on the reference alone. */
export const judgedOnly: readonly Check[] = provesAll ? [] : allChecks.filter((check) => !half.has(check));
