import { allChecks } from '../../checks/all-checks.ts';
import { allMutants } from '../../checks/all-mutants.ts';
import type { Check } from '../../engine/check.ts';
import { provesAll } from '../../testing/test-size.ts';
import { loadKnownKills } from '../known-kills.ts';

/** A source mutant needs a separate process, and many of them take minutes. */
const cheap = new Set(allMutants.filter(({ kind }) => kind !== 'source').map(({ id }) => id));
const known = loadKnownKills();

const isCheap = ({ id }: Check): boolean => (known.get(id) ?? []).some((mutant) => cheap.has(mutant));
const half = new Set(allChecks.filter(isCheap).filter((_, place) => place % 2 === 0));

/** The checks that a test run proves to fail: all if requested, else half of those with a cheap mutant. */
export const provedEachTime: readonly Check[] = provesAll ? allChecks : [...half];
/** The other checks, which a test run judges only on the reference. */
export const judgedOnly: readonly Check[] = provesAll ? [] : allChecks.filter((check) => !half.has(check));
