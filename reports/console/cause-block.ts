import { type Cause, companionsOf, elsewhereIn, placesOf, sizeOf } from '../causes.ts';
import { duration } from '../durations.ts';
import { questionInWords } from '../in-question.ts';
import { clip, oneLine, plainText } from '../plain-text.ts';
import type { CheckResult, Failure, ReportedExchange } from '../report.ts';
import { wrap } from '../wrap.ts';
import type { Paint, Style } from './paint.ts';

const longestBody = 240;
/** Maximum length of an unwrapped line, however wide the terminal is. */
const longestLine = 400;
const longestOther = 160;
const longestInput = 600;
const maxOthers = 5;
const labelWidth = 12;

/** One cause in full: the details of its representative, and the names of the other checks that failed by it. */
export function causeBlock(cause: Cause, paint: Paint, width: number): string[] {
  const line = liner(paint, width);
  const { representative: check } = cause;
  return [
    headOf(cause, paint),
    ...introduction(check, paint, width),
    ...(check.failure === undefined ? [] : failureLines(check.failure, check.verdict === 'fail', line)),
    ...places(cause, line),
    ...others(cause, line),
  ];
}

interface Liner {
  /** On one line, so that a search finds it. */
  line(label: string, text: string | null, style?: Style): string[];
  text(label: string, text: string | null, style?: Style): string[];
  /** Never wrapped, so that it can be copied. */
  command(label: string, text: string | null): string[];
}

function liner(paint: Paint, width: number): Liner {
  return {
    line: (label, text, style) => {
      if (text === null) return [];
      const shown = clip(oneLine(text), longestLine);
      return [
        `  ${paint('dim', label.padEnd(labelWidth))}${style === undefined ? shown : paint(style, shown)}`,
      ];
    },
    text: (label, text, style) => {
      if (text === null) return [];
      const lines = wrap(plainText(text), width - labelWidth - 2);
      return lines.map((line, index) => {
        const name = paint('dim', (index === 0 ? label : '').padEnd(labelWidth));
        return `  ${name}${style === undefined ? line : paint(style, line)}`.trimEnd();
      });
    },
    command: (label, text) =>
      text === null ? [] : [`  ${paint('dim', label.padEnd(labelWidth))}${plainText(text)}`],
  };
}

function headOf(cause: Cause, paint: Paint): string {
  const { representative: check } = cause;
  const { failure } = check;
  const size = sizeOf(cause);
  const id = oneLine(check.id);
  if (check.verdict !== 'fail' || failure === undefined) {
    const word = check.verdict === 'fail' ? paint('red', 'FAIL') : paint('magenta', 'ERROR');
    const what = size === 1 ? oneLine(check.title) : `and ${size - 1} more broke alike`;
    return `${word}  ${paint('bold', id)}  ${what}`;
  }
  const what = size === 1 ? id : `${size} checks fail for this; clearest in ${id}`;
  return `${paint('red', 'FAIL')}  ${paint('bold', oneLine(failure.requirement))}  ${what}`;
}

/** The violated rule. A broken check proves nothing about its rule, so it does not quote the rule. */
function introduction({ verdict, failure, evidence }: CheckResult, paint: Paint, width: number): string[] {
  if (failure === undefined) return evidence.notes.flatMap((note) => indented(plainText(note), width));
  if (verdict !== 'fail')
    return indented('The check itself broke; this says nothing about the target.', width);
  return [
    ...indented(oneLine(failure.statement), width),
    ...indented(oneLine(failure.section), width).map((text) => paint('dim', text)),
  ];
}

function failureLines(failure: Failure, judged: boolean, line: Liner): string[] {
  return [
    ...line.text('aspect', judged ? failure.aspect : null),
    ...line.line('request', outcomeOf(failure.exchange)),
    ...line.line('value', questionInWords(failure)),
    ...line.line('expected', failure.expected, 'green'),
    ...line.line('actual', failure.actual, 'red'),
    ...line.text('sent', bodyOf(failure.exchange?.request)),
    ...line.text('got', bodyOf(failure.exchange?.response)),
    ...line.line('twin', outcomeOf(failure.twin)),
    ...line.text('upstream', failure.upstream),
    ...line.text('input', failure.input === null ? null : clip(failure.input, longestInput)),
    ...line.command('curl', failure.curl),
    ...line.command('replay', failure.replay),
  ];
}

/** Where a cause was seen, and what the same check saw in other places. */
function places(cause: Cause, line: Liner): string[] {
  return [
    ...line.text('seen in', placesOf(cause).map(oneLine).join('; ') || null),
    ...elsewhereIn(cause).flatMap(({ check: { failure }, seenIn }) =>
      failure === undefined
        ? []
        : line.text(
            '',
            `in ${oneLine(seenIn ?? 'the same')}: expected ${brieflyOf(failure.expected)}; got ${brieflyOf(failure.actual)}`,
          ),
    ),
  ];
}

function brieflyOf(text: string): string {
  return clip(oneLine(text), longestOther);
}

/** The first few other checks, each with only its differences from the representative. */
function others(cause: Cause, line: Liner): string[] {
  const all = companionsOf(cause);
  const shown = all.slice(0, maxOthers);
  const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : '';
  const alike = shown.filter(({ actual, replay }) => actual === null && replay === null);
  const differing = shown.filter((other) => !alike.includes(other));
  const names = alike.map(({ check }) => oneLine(check.id)).join(', ');
  const rows: ['text' | 'command', string][] = [];
  if (alike.length > 0) rows.push(['text', differing.length === 0 ? `${names}${more}` : names]);
  for (const { check, actual, replay } of differing) {
    const id = oneLine(check.id);
    rows.push(['text', actual === null ? id : `${id}: ${brieflyOf(actual)}`]);
    if (replay !== null) rows.push(['command', replay]);
  }
  if (differing.length > 0 && more !== '') rows.push(['text', more.trim()]);
  if (shown.some(({ check, replay }) => replay === null && check.failure !== undefined))
    rows.push(['text', `(replay each with its name in place of ${oneLine(cause.representative.id)})`]);
  const label = cause.representative.verdict === 'fail' ? 'also red' : 'also broke';
  return rows.flatMap(([kind, text], index) =>
    kind === 'text' ? line.text(index === 0 ? label : '', text) : line.command('replay', text),
  );
}

/** `POST https://… -> 400 in 12 ms`. */
function outcomeOf(exchange: ReportedExchange | null): string | null {
  if (exchange === null) return null;
  const { request, response, error } = exchange;
  const outcome =
    response === null
      ? `no response: ${error ?? 'unknown'}`
      : `${response.status} in ${duration(response.end_ms)}${error === null ? '' : `, then ${error}`}`;
  return `${request.method} ${request.url} -> ${outcome}`;
}

/** The beginning of a body, in a few lines; the report has all of it. */
function bodyOf(message: { readonly body: string } | null | undefined): string | null {
  return message === null || message === undefined || message.body === ''
    ? null
    : clip(oneLine(message.body), longestBody);
}

function indented(text: string, width: number): string[] {
  return wrap(text, width - 2).map((line) => `  ${line}`);
}
