import { awaitsSecondLook, type Examination, type Examined, type Outcome, scoreOf } from './examination.ts';

/** Maximum length of a printed diff in lines; `examination.json` has the rest. */
const longestDiff = 14;

/** The result of an examination in one line. */
function headlineOf(examination: Examination): string {
  const { of, by_harness_error: broken, ratio } = scoreOf(examination.mutants);
  const killed = of.killed + of['no-start'];
  const survived = of['survived-open'] + of['survived-equivalent'] + of['survived-unclassed'];
  const score = ratio === null ? 'none' : `${(ratio * 100).toFixed(1)} %`;
  const notYet = Math.max(0, examination.drawn - examination.mutants.length);
  const waiting = examination.mutants.filter(awaitsSecondLook).length;
  const asides = [
    of['no-start'] === 0 ? '' : `${of['no-start']} of them did not start`,
    broken === 0 ? '' : `${broken} only broke a check`,
  ].filter((text) => text !== '');
  return [
    examination.interrupted ? 'Interrupted: ' : '',
    examination.broken === null ? '' : `Broken off (${examination.broken}): `,
    `score ${score}: ${killed} of ${examination.mutants.length} mutants killed`,
    asides.length === 0 ? '' : ` (${asides.join(', ')})`,
    `, ${survived} survived: ${of['survived-open']} open, ${of['survived-equivalent']} equivalent, ${of['survived-unclassed']} not classed`,
    of['not-run'] === 0 ? '' : `; ${of['not-run']} not run`,
    notYet === 0 ? '' : `; ${notYet} not examined yet`,
    waiting === 0 ? '' : `; ${waiting} survivors have not had the look of all their checks`,
    '.',
  ].join('');
}

/** The examination for a terminal: the survivors with their diffs, unclassified ones last, and the score. */
export function renderExaminationText(examination: Examination): string {
  const survivors = (['survived-equivalent', 'survived-open', 'survived-unclassed'] as const).flatMap(
    (outcome) =>
      withOutcome(examination, outcome).flatMap((one) => [...survivorLines(one, examination.seed), '']),
  );
  const seconds = Math.round(examination.duration_ms / 1000);
  const { seed, drawn, drawn_from: all } = examination;
  return [
    ...survivors,
    headlineOf(examination),
    `Seed ${seed}, ${drawn} drawn of ${all}, ${seconds} s.`,
    '',
  ].join('\n');
}

/** The examination as a document. */
export function renderExaminationMarkdown(examination: Examination): string {
  const { seed, drawn, drawn_from: all, started_at: at } = examination;
  const killed = examination.mutants.filter(({ outcome }) => outcome === 'killed' || outcome === 'no-start');
  return [
    '# Examination of the suites',
    '',
    `${headlineOf(examination)} Seed ${seed}, ${drawn} mutants drawn of ${all}, ${at}.`,
    ...survivorSection(examination, 'survived-unclassed', 'Survived, not classed'),
    ...survivorSection(examination, 'survived-open', 'Survived, open: a check is missing'),
    ...survivorSection(examination, 'survived-equivalent', 'Survived, equivalent'),
    '',
    '## Killed',
    '',
    '| Mutant | Place | Operator | Killed by | Names |',
    '|---|---|---|---|---|',
    ...killed.map(
      (one) =>
        `| ${one.id} | ${one.file}:${one.line} | ${one.operator} | ${one.killed_by?.check ?? 'did not start'} | ${reasonOf(one)} |`,
    ),
    '',
  ].join('\n');
}

function withOutcome({ mutants }: Examination, outcome: Outcome): Examined[] {
  return mutants.filter((one) => one.outcome === outcome);
}

function survivorSection(examination: Examination, outcome: Outcome, title: string): string[] {
  const survivors = withOutcome(examination, outcome);
  if (survivors.length === 0) return [];
  return [
    '',
    `## ${title}`,
    ...survivors.flatMap((one) => [
      '',
      `### ${one.file}:${one.line} ${one.operator} ${one.id}`,
      '',
      ...(one.note === null ? [] : [noteLine(one.note), '']),
      '```diff',
      ...shortDiff(one.diff),
      '```',
      '',
      judgedLine(one),
    ]),
  ];
}

function survivorLines(one: Examined, seed: number): string[] {
  return [
    `${one.outcome} ${one.file}:${one.line} ${one.operator} (${judgedBy(one)})`,
    ...(one.note === null ? [] : [`  ${noteLine(one.note)}`]),
    ...shortDiff(one.diff).map((line) => `  ${line}`),
    `  again: npx gatecheck examine --mutant ${one.id} --seed ${seed}`,
  ];
}

/** Number of checks that judged a survivor, and remarks of single checks. */
function judgedLine({ judged, checks, look, warned_by: warned, untestable, unsteady }: Examined): string {
  return [
    `Judged by ${judgedBy({ judged, checks })}${look === 2 ? ', together with other survivors' : ''}.`,
    ...(warned.length === 0 ? [] : [`Warned: ${warned.join(', ')}.`]),
    ...(untestable.length === 0 ? [] : [`Untestable: ${untestable.join(', ')}.`]),
    ...(unsteady.length === 0 ? [] : [`Unsteady: ${unsteady.join('; ')}.`]),
  ].join(' ');
}

function judgedBy({ judged, checks }: Pick<Examined, 'judged' | 'checks'>): string {
  return checks === 0 ? 'no check: none runs this place' : `${judged} of ${checks} checks`;
}

function noteLine({ why, requirement }: NonNullable<Examined['note']>): string {
  return requirement === null ? why : `${requirement}: ${why}`;
}

function shortDiff(diff: readonly string[]): string[] {
  if (diff.length <= longestDiff) return [...diff];
  const shown = diff.filter((line) => line.startsWith('-')).slice(0, longestDiff - 4);
  const added = diff.filter((line) => line.startsWith('+')).slice(0, 4);
  return [...shown, `… ${diff.length - shown.length - added.length} lines more`, ...added];
}

function reasonOf({ killed_by: kill, fault }: Examined): string {
  if (kill === null) return cell((fault ?? '').slice(0, 120));
  const rule = [kill.requirement, kill.aspect].filter((part) => part !== null).join(' ');
  return kill.verdict === 'fail' ? rule : `${kill.verdict} ${rule}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
