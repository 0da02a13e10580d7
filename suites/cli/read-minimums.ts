import { UsageError } from '../process/exit-codes.ts';
import {
  type ConformanceProfile,
  conformanceProfileNames,
  type Minimums,
} from '../profile/conformance-profiles.ts';
import { wordsOf } from '../runner/select.ts';
import { meant } from '../values/nearest.ts';

/**
 * `--require core-chat,tasks:80` as minimums: the share of a profile's rules that must be judged, 100 % by default.
 * @throws UsageError for an unknown profile, or a share that is no whole number from 1 to 100
 */
export function readMinimums(text: string): Minimums {
  const words = wordsOf(text);
  if (words.length === 0)
    throw new UsageError(`--require needs at least one of ${conformanceProfileNames.join(', ')}`);
  return Object.fromEntries(words.map(readMinimum));
}

function readMinimum(word: string): [ConformanceProfile, number] {
  const [name = '', share = '100'] = word.split(':');
  const found = conformanceProfileNames.find((known) => known === name);
  if (found === undefined)
    throw new UsageError(
      `--require ${word}: there is no part ${name}${meant(name, conformanceProfileNames)}`,
    );
  const percent = Number(share);
  if (!/^\d+$/.test(share) || percent < 1 || percent > 100)
    throw new UsageError(`--require ${word}: the share is a whole number of percent from 1 to 100`);
  return [found, percent];
}
