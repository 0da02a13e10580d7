import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allChecks } from '../checks/all-checks.ts';
import { allMutants } from '../checks/all-mutants.ts';
import { allMutantsOf, canBeRead } from '../examine/all-mutants.ts';
import { areasOf } from '../examine/areas.ts';
import type { Examination } from '../examine/examination.ts';
import { examinedOf } from '../examine/examination-of.ts';
import { examine } from '../examine/examine.ts';
import { gatewaySources, type SourceFile } from '../examine/gateway-sources.ts';
import { loadNotes, notesById } from '../examine/notes.ts';
import { checksFor, killersByFile } from '../examine/order-checks.ts';
import { renderExaminationMarkdown, renderExaminationText } from '../examine/render-examination.ts';
import { drawSample } from '../examine/sample.ts';
import type { SourceMutant } from '../examine/source-mutant.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { loadKnownKills } from '../proof/known-kills.ts';
import { loadRegister } from '../rules/register.ts';
import { catchInterrupts } from './interrupt.ts';
import { ProofProgress } from './proof-progress.ts';

export interface ExamineCommandOptions {
  readonly seed?: number;
  readonly count: number;
  /** Paths of the gateway, or areas; separated by commas. */
  readonly only?: string;
  /** Ids of mutants, in place of a sample. */
  readonly mutant?: string;
  /** How long the checks may look at one mutant, seconds. */
  readonly limit: number;
  readonly out: string;
}

/** `gatecheck examine`: changes the gateway's own source here and there, and shows what the checks do not see. */
export async function examineCommand(options: ExamineCommandOptions): Promise<ExitCode> {
  const sources = sourcesOf(gatewaySources(), options.only ?? null);
  const seed = options.seed ?? randomInt(2 ** 31);
  const interrupts = catchInterrupts();
  const progress = new ProofProgress(process.stderr, process.env);
  const startedAt = new Date();
  try {
    process.stderr.write(`Looking for places in ${sources.length} files\n`);
    const all = await allMutantsOf(sources);
    const drawn = chosenOf(all, options, seed, sources);
    process.stderr.write(`${drawn.length} mutants of ${all.length}, seed ${seed}\n`);
    const killers = killersByFile(allMutants, loadKnownKills());
    const suite = { checks: allChecks, register: loadRegister(), killers };
    const { trials, broken } = await examine({
      mutants: drawn,
      checksFor: ({ file }) => checksFor(file, suite),
      seed,
      limitMs: options.limit * 1000,
      signal: interrupts.signal,
      onBatch: (batch) =>
        progress.part(batch.length * allChecks.length, batch.map(({ id }) => id).join(', ')),
      onJob: () => progress.step(),
      onTrial: ({ mutant, kill, fault, judged }) => {
        progress.end();
        process.stderr.write(
          `${mutant.id} ${mutant.file}:${mutant.line} ${mutant.operator}: ${kill?.check ?? fault?.slice(0, 100) ?? `survived ${judged} checks`}\n`,
        );
      },
    });
    const notes = notesById(loadNotes());
    return report(
      {
        schema: 'gatecheck.examination/1',
        seed,
        started_at: startedAt.toISOString(),
        duration_ms: Date.now() - startedAt.getTime(),
        drawn_from: all.length,
        drawn: drawn.length,
        interrupted: interrupts.signal.aborted,
        broken,
        mutants: trials.map((trial) => examinedOf(trial, notes)),
      },
      options.out,
    );
  } finally {
    progress.end();
    interrupts.release();
  }
}

function report(examination: Examination, folder: string): ExitCode {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'examination.json');
  writeFileSync(file, `${JSON.stringify(examination, null, 2)}\n`);
  writeFileSync(join(folder, 'examination.md'), renderExaminationMarkdown(examination));
  process.stdout.write(
    `${renderExaminationText(examination)}All of it is in ${file} and examination.md beside it.\n`,
  );
  if (examination.interrupted) return exitCodes.interrupted;
  if (examination.broken !== null) return exitCodes.harness;
  const isClassed = examination.mutants.every(({ outcome }) => outcome !== 'survived-unclassed');
  return isClassed ? exitCodes.conforming : exitCodes.failures;
}

/** The files that `--only` names: by the beginning of a path, or as those at which an area looks first. */
function sourcesOf(sources: readonly SourceFile[], only: string | null): readonly SourceFile[] {
  if (only === null) return sources;
  const words = only.split(',').map((word) => word.trim());
  const matches = (path: string, word: string): boolean =>
    word !== '' &&
    (path.startsWith(word) || areasOf(path).includes(word) || areasOf(path).includes(word.toUpperCase()));
  for (const word of words)
    if (!sources.some(({ path }) => matches(path, word)))
      throw new UsageError(`--only ${word} names no file of gateway/ and no area that looks at one`);
  return sources.filter(({ path }) => words.some((word) => matches(path, word)));
}

function chosenOf(
  all: readonly SourceMutant[],
  { mutant, count }: ExamineCommandOptions,
  seed: number,
  sources: readonly SourceFile[],
): SourceMutant[] {
  if (mutant === undefined) return drawSample(all, { seed, count, suits: (one) => canBeRead(one, sources) });
  return mutant.split(',').map((id) => {
    const found = all.find((one) => one.id === id.trim());
    if (found === undefined)
      throw new UsageError(
        `--mutant ${id}: there is none of this id; it changes when the lines of its place do`,
      );
    return found;
  });
}
