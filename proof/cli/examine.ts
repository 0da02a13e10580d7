import { randomInt } from 'node:crypto';
import { allChecks } from '../../suites/checks/all-checks.ts';
import { catchInterrupts } from '../../suites/cli/interrupt.ts';
import { openFolder } from '../../suites/cli/output-places.ts';
import { largestCost, loadCheckCosts } from '../../suites/plan/check-costs.ts';
import { type ExitCode, exitCodes, UsageError } from '../../suites/process/exit-codes.ts';
import { loadRegister } from '../../suites/rules/register.ts';
import { areasOf } from '../examine/areas.ts';
import { awaitsSecondLook, type Examination, type Examined } from '../examine/examination.ts';
import {
  examinationPath,
  reachKeyOf,
  readExamination,
  readReach,
  writeDocument,
  writeExamination,
  writeReach,
} from '../examine/examination-files.ts';
import { classedAnew, examinedOf } from '../examine/examination-of.ts';
import { examine, type ReachPart, type Trial } from '../examine/examine.ts';
import { gatewaySources, type SourceFile } from '../examine/gateway-sources.ts';
import { loadNotes, type Note, notesById } from '../examine/notes.ts';
import { checksFor, killersByFile } from '../examine/order-checks.ts';
import { renderExaminationMarkdown, renderExaminationText } from '../examine/render-examination.ts';
import type { SourceMutant } from '../examine/source-mutant.ts';
import { allMutantsOf, canBeRead, drawSample } from '../examine/source-mutants.ts';
import { loadKnownKills } from '../kill-matrix/known-kills.ts';
import { allMutants } from '../mutants/all-mutants.ts';
import { ProofProgress } from './proof-progress.ts';

export interface ExamineCommandOptions {
  readonly seed?: number;
  readonly count: number;
  /** Paths of the gateway, or areas; separated by commas. */
  readonly only?: string;
  /** Ids of mutants, instead of a sample. */
  readonly mutant?: string;
  /** Time limit of the first round per mutant, in seconds. */
  readonly limit: number;
  /** Number of rounds: 2 includes the one that judges the survivors together. */
  readonly looks: number;
  /** Whether to find out first which checks run which code, and to run only those. */
  readonly reach?: boolean;
  /** Whether to keep the results of the same mutants in `out`. */
  readonly resume?: boolean;
  readonly out: string;
}

/** `gatecheck examine`: changes the gateway's own source in single places, and reports the changes that no check detects. */
export async function examineCommand(options: ExamineCommandOptions): Promise<ExitCode> {
  const everything = gatewaySources();
  const sources = sourcesOf(everything, options.only ?? null);
  const seed = options.seed ?? randomInt(2 ** 31);
  openFolder(options.out);
  const interrupts = catchInterrupts();
  const progress = new ProofProgress(process.stderr, process.env);
  const startedAt = new Date();
  try {
    process.stderr.write(`Looking for places in ${sources.length} files\n`);
    const all = await allMutantsOf(sources);
    const drawn = chosenOf(all, options, seed, sources);
    const notes = notesById(loadNotes());
    const mutants = options.resume ? earlierOf(options.out, drawn, notes) : [];
    const twice = options.looks > 1;
    const left = drawn.filter(({ id }) => !mutants.some((one) => one.id === id));
    const waiting = new Set(mutants.filter((one) => twice && awaitsSecondLook(one)).map(({ id }) => id));
    const before = mutants.length === 0 ? '' : `, ${mutants.length} of them examined before`;
    process.stderr.write(`${drawn.length} mutants of ${all.length}, seed ${seed}${before}\n`);
    const examinationNow = (broken: string | null): Examination => ({
      schema: 'gatecheck.examination/1',
      seed,
      started_at: startedAt.toISOString(),
      duration_ms: Date.now() - startedAt.getTime(),
      drawn_from: all.length,
      drawn: drawn.length,
      interrupted: interrupts.signal.aborted,
      broken,
      mutants,
    });
    const suite = {
      checks: allChecks,
      register: loadRegister(),
      killers: killersByFile(allMutants, loadKnownKills()),
    };
    const reachKey = reachKeyOf(everything, allChecks, seed);
    const costs = loadCheckCosts();
    const broken =
      left.length + waiting.size === 0
        ? null
        : await examine({
            ...{ mutants: left, survivors: drawn.filter(({ id }) => waiting.has(id)), twice, seed },
            checksFor: ({ file }) => checksFor(file, suite),
            msOf: (id) => largestCost(costs, id)?.ms ?? 0,
            limitMs: options.limit * 1000,
            signal: interrupts.signal,
            ...(options.reach && { reach: reachPart(options.out, reachKey) }),
            onPart: (title, runs) => progress.part(runs, title),
            onJob: () => progress.step(),
            onTrial: (trial) => {
              progress.end();
              process.stderr.write(`${lineOf(trial)}\n`);
              const place = mutants.findIndex(({ id }) => id === trial.mutant.id);
              mutants.splice(place < 0 ? mutants.length : place, 1, examinedOf(trial, notes));
              writeExamination(options.out, examinationNow(null));
            },
          });
    return report(examinationNow(broken), options.out);
  } finally {
    progress.end();
    interrupts.release();
  }
}

/** The drawn mutants with an outcome in the folder, classified by the current notes. */
function earlierOf(
  folder: string,
  drawn: readonly SourceMutant[],
  notes: ReadonlyMap<string, Note>,
): Examined[] {
  const ids = new Set(drawn.map(({ id }) => id));
  const kept = readExamination(folder)?.mutants ?? [];
  return kept.filter(({ id }) => ids.has(id)).map((one) => classedAnew(one, notes));
}

function reachPart(folder: string, key: string): ReachPart {
  return {
    known: readReach(folder, key),
    checks: allChecks,
    onFound: (reach) => writeReach(folder, key, reach),
  };
}

function lineOf({ mutant, kill, fault, judged, checks }: Trial): string {
  const survived = checks === 0 ? 'no check runs it' : `survived ${judged} of ${checks} checks`;
  const end = kill?.check ?? fault?.slice(0, 100) ?? survived;
  return `${mutant.id} ${mutant.file}:${mutant.line} ${mutant.operator}: ${end}`;
}

function report(examination: Examination, folder: string): ExitCode {
  writeExamination(folder, examination);
  writeDocument(folder, renderExaminationMarkdown(examination));
  const file = examinationPath(folder);
  process.stdout.write(
    `${renderExaminationText(examination)}All of it is in ${file} and examination.md beside it.\n`,
  );
  if (examination.interrupted) return exitCodes.interrupted;
  if (examination.broken !== null) return exitCodes.harness;
  const isClassed = examination.mutants.every(({ outcome }) => outcome !== 'survived-unclassed');
  return isClassed ? exitCodes.conforming : exitCodes.failures;
}

/** The files that `--only` selects: by the beginning of a path, or by the area whose checks run first on them. */
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
