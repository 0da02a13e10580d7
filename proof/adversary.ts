import { parseArgs } from 'node:util';
import { tableOf, violationsIn } from './adversary/books.ts';
import { playAll } from './adversary/play-all.ts';
import { strategies } from './adversary/strategies.ts';

// `node proof/adversary.ts [--minutes 60] [--seed 1]`: callers try to get answers of the reference gateway without paying.
// All strategies play in parallel, round after round. Exits with 1 if one got more than the declared bounds.

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write('minutes is a number above 0, and seed a whole number.\n');
  process.exit(2);
}

const books = await playAll(strategies, seed, minutes * 60_000);
const violations = books.flatMap(violationsIn);
process.stdout.write(tableOf(books));
for (const violation of violations) process.stdout.write(`${violation}\n`);
process.stdout.write(`${violations.length} violations; again: --minutes ${minutes} --seed ${seed}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
