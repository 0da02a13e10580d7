import { duration } from './durations.ts';
import { groupByMissingFacts, unlocks } from './missing-facts.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { clip, oneLine, plainText } from './plain-text.ts';
import type { CheckResult, Failure, Report, ReportedExchange } from './report.ts';
import { byUrgency, counted, isRed, verdictWords } from './verdict-words.ts';
import { wrap } from './wrap.ts';

const longestBody = 240;
const labelWidth = 12;

type Style = 'red' | 'yellow' | 'green' | 'blue' | 'magenta' | 'dim' | 'bold';
type Paint = (style: Style, text: string) => string;

/**
 * The last text of a run on the terminal: failures in full, the rest in a line each, the result at the very end,
 * where the eye is. Where to find the written reports is for the caller to add.
 *
 * @param options `width` in columns; `color` adds SGR sequences, nothing else does
 */
export function renderConsole(report: Report, options: { color: boolean; width: number }): string {
  const paint: Paint = options.color ? (style, text) => `${codes[style]}${text}${reset}` : (_, text) => text;
  const width = Math.min(Math.max(options.width, 40), 120);
  const red = report.checks.filter((check) => isRed(check.verdict));
  red.sort((a, b) => byUrgency.indexOf(a.verdict) - byUrgency.indexOf(b.verdict));
  const blocks = [
    ...red.map((check) => redBlock(check, paint, width)),
    notes(report.checks, paint, width),
    untestable(report.checks, paint, width),
    ending(report, paint, width),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function redBlock(check: CheckResult, paint: Paint, width: number): string[] {
  const { failure } = check;
  const word = check.verdict === 'fail' ? paint('red', 'FAIL') : paint('magenta', 'ERROR');
  if (failure === undefined) {
    return [
      `${word}  ${paint('bold', oneLine(check.id))}  ${oneLine(check.title)}`,
      ...check.evidence.notes.flatMap((note) => indented(plainText(note), width)),
    ];
  }
  return [
    `${word}  ${paint('bold', oneLine(failure.requirement))}  ${oneLine(check.id)}`,
    ...indented(oneLine(failure.statement), width),
    ...indented(oneLine(failure.section), width).map((line) => paint('dim', line)),
    ...failureLines(failure, paint, width),
  ];
}

function failureLines(failure: Failure, paint: Paint, width: number): string[] {
  const labelled = (label: string, text: string | null, style?: Style): string[] => {
    if (text === null) return [];
    const lines = wrap(plainText(text), width - labelWidth - 2);
    return lines.map((line, index) => {
      const name = paint('dim', (index === 0 ? label : '').padEnd(labelWidth));
      return `  ${name}${style === undefined ? line : paint(style, line)}`.trimEnd();
    });
  };
  // A command is not wrapped, however long: it has to survive being copied.
  const command = (label: string, text: string | null): string[] =>
    text === null ? [] : [`  ${paint('dim', label.padEnd(labelWidth))}${plainText(text)}`];
  return [
    ...labelled('aspect', failure.aspect),
    ...labelled('expected', failure.expected, 'green'),
    ...labelled('actual', failure.actual, 'red'),
    ...labelled('exchange', brief(failure.exchange, true)),
    ...labelled('twin', brief(failure.twin, false)),
    ...labelled('upstream', failure.upstream),
    ...labelled('input', failure.input),
    ...command('curl', failure.curl),
    ...command('replay', failure.replay),
  ];
}

/** Request and, if wanted, the answer's body in a few lines; the whole is in the report. */
function brief(exchange: ReportedExchange | null, withAnswer: boolean): string | null {
  if (exchange === null) return null;
  const { request, response, error } = exchange;
  const outcome =
    response === null
      ? `no response: ${oneLine(error ?? 'unknown')}`
      : `${response.status} in ${duration(response.end_ms)}${error === null ? '' : `, then ${oneLine(error)}`}`;
  const lines = [`${oneLine(request.method)} ${oneLine(request.url)} -> ${outcome}`];
  if (request.body !== '') lines.push(`> ${clip(oneLine(request.body), longestBody)}`);
  if (withAnswer && response !== null && response.body !== '')
    lines.push(`< ${clip(oneLine(response.body), longestBody)}`);
  return lines.join('\n');
}

function notes(checks: readonly CheckResult[], paint: Paint, width: number): string[] {
  return checks
    .filter(({ verdict }) => verdict === 'warn' || verdict === 'observed' || verdict === 'waived')
    .sort((a, b) => byUrgency.indexOf(a.verdict) - byUrgency.indexOf(b.verdict))
    .map((check) => {
      const word = verdictWords[check.verdict].label.padEnd(labelWidth);
      const why = check.waiver?.reason ?? check.failure?.actual ?? check.evidence.notes[0] ?? check.title;
      const line = `${oneLine(check.id)}: ${oneLine(why)}`;
      return paint(check.verdict === 'warn' ? 'yellow' : 'blue', word) + shorten(line, width - labelWidth);
    });
}

function untestable(checks: readonly CheckResult[], paint: Paint, width: number): string[] {
  return groupByMissingFacts(checks).map((group) => {
    const facts = group.facts.map(oneLine).join(' and ');
    const ids = group.checks.map((check) => oneLine(check.id)).join(', ');
    const lead = facts === '' ? 'no fact would help' : `give ${facts} ${unlocks(group)}`;
    const line = shorten(`${lead}: ${ids}`, width - labelWidth);
    return `${paint('blue', 'untestable'.padEnd(labelWidth))}${line}`;
  });
}

function ending(report: Report, paint: Paint, width: number): string[] {
  const { summary } = report;
  const counts = (['pass', ...byUrgency.filter((verdict) => verdict !== 'pass')] as const)
    .filter((verdict) => verdict === 'pass' || summary[verdictWords[verdict].count] > 0)
    .map((verdict) => counted(verdict, summary[verdictWords[verdict].count]));
  const result = report.checks.length === 0 ? 'no check ran' : counts.join(', ');
  const work = `${summary.cases} cases, ${summary.exchanges} exchanges, ${duration(report.duration_ms)}, seed ${report.seed}`;
  const stopped =
    report.stopped === null ? [] : [paint('yellow', `stopped early: ${oneLine(report.stopped)}`)];
  const style = styleOf(outcomeOf(report));
  return [
    ...stopped,
    ...wrap(oneLine(report.headline), width).map((line) => paint(style, line)),
    `${result} (${work})`,
  ];
}

function styleOf(outcome: Outcome): Style {
  if (outcome === 'conforming') return 'green';
  return outcome === 'failures' ? 'red' : 'yellow';
}

function indented(text: string, width: number): string[] {
  return wrap(text, width - 2).map((line) => `  ${line}`);
}

function shorten(line: string, width: number): string {
  const points = [...line];
  return points.length <= width ? line : `${points.slice(0, Math.max(width - 1, 1)).join('')}…`;
}

const esc = String.fromCharCode(0x1b);
const reset = `${esc}[0m`;
const codes: Record<Style, string> = {
  red: `${esc}[31m`,
  yellow: `${esc}[33m`,
  green: `${esc}[32m`,
  blue: `${esc}[34m`,
  magenta: `${esc}[35m`,
  dim: `${esc}[2m`,
  bold: `${esc}[1m`,
};
