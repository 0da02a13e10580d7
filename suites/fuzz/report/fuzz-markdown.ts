import { plainText } from '../../../reports/plain-text.ts';
import { type FuzzReport, failuresIn, type ReportedFinding } from './fuzz-report.ts';

/** The whole report for people. */
export function fuzzMarkdown(report: FuzzReport): string {
  const { target, seed, sent, coverage } = report;
  const parts = [
    `# Fuzz of ${target.name}`,
    headline(report),
    [
      `- ${count(sent.requests)} damaged requests, ${sent.sequences} sequences of raw bytes, ${count(sent.bodies)} bodies for their cost; ${count(sent.exchanges)} exchanges in all`,
      `- ${count(coverage.covered)} of ${count(coverage.cells)} pairs of field and kind of damage covered`,
      `- paid: ${count(sent.paid)}${sent.usd === null ? '' : `, $${sent.usd}`}`,
      ...othersLines(report),
      ...memoryLines(report),
      `- seed ${seed}: \`${report.command}\``,
    ].join('\n'),
    ...section('Failures', failuresIn(report)),
    ...section(
      'Not seen again',
      report.findings.filter(({ level, repeated }) => level === 'fail' && !repeated),
    ),
    ...table(
      'Advice',
      report.findings.filter(({ level }) => level === 'warn'),
    ),
    ...table(
      'Observed',
      report.findings.filter(({ level }) => level === 'observed'),
    ),
    coverageTable(report),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The verdict as one sentence. */
export function headline(report: FuzzReport): string {
  const failures = failuresIn(report);
  const stopped = report.stopped === null ? '' : `, stopped early: ${report.stopped}`;
  if (failures.length > 0)
    return `Not robust: ${failures.length === 1 ? 'one finding' : `${failures.length} findings`} that repeat${failures.length === 1 ? 's' : ''}${stopped}.`;
  if (report.sent.requests + report.sent.sequences + report.sent.bodies === 0)
    return `Nothing was judged${stopped}.`;
  return `Nothing found${stopped}.`;
}

function othersLines({ others }: FuzzReport): string[] {
  if (others === null) return [];
  return [
    `- others waited ${others.quiet_ms.toFixed(1)} ms (median) in quiet, and ${others.worst_seen_ms.toFixed(0)} ms more at most beside a body; ${others.bound_ms} ms more, again and again, is a finding`,
  ];
}

function memoryLines({ memory }: FuzzReport): string[] {
  if (memory === null) return [];
  const { before_mb: before, after_mb: after, most_mb: most } = memory;
  return [`- memory of the gateway: ${before} MB before, ${after} MB after, ${most} MB at most`];
}

function section(title: string, findings: readonly ReportedFinding[]): string[] {
  if (findings.length === 0) return [];
  return [`## ${title}`, ...findings.map(card)];
}

function card(finding: ReportedFinding): string {
  const { id, endpoint, cause, status, count: seen, expected, actual, where, shell, replay } = finding;
  return [
    `### ${id}: ${endpoint}, ${cause}${status === null ? '' : `, HTTP ${status}`}`,
    '',
    `- expected ${inline(expected)}`,
    `- got ${inline(actual)}`,
    `- seen ${seen === 1 ? 'once' : `${seen} times`}: ${where.map(inline).join('; ')}`,
    ...(replay === null ? [] : [`- again: \`${replay}\``]),
    ...(shell === null ? [] : ['', '```sh', shell, '```']),
  ].join('\n');
}

function table(title: string, findings: readonly ReportedFinding[]): string[] {
  if (findings.length === 0) return [];
  const rows = findings.map(
    ({ id, endpoint, cause, status, count: seen, where }) =>
      `| ${id} | ${endpoint} | ${inline(cause)} | ${status ?? '–'} | ${seen} | ${inline(where.slice(0, 3).join('; '))} |`,
  );
  return [
    `## ${title}`,
    ['| | endpoint | what | HTTP | seen | for example |', '|---|---|---|---|---|---|', ...rows].join('\n'),
  ];
}

function coverageTable({ coverage }: FuzzReport): string {
  const rows = coverage.rows.map(
    ({ endpoint, field, kinds, covered, requests, open }) =>
      `| ${endpoint} | ${inline(field)} | ${covered} of ${kinds} | ${requests} | ${open.slice(0, 4).join(', ')}${open.length > 4 ? ' …' : ''} |`,
  );
  return [
    '## Coverage',
    '',
    '| endpoint | field | kinds of damage | requests | not yet |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** One line that cannot end a row of a table or begin markup. */
function inline(text: string): string {
  const line = plainText(text).replaceAll(/\s+/g, ' ').slice(0, 300);
  return line.replaceAll(/[|<>`*_[\]]/g, (mark) => `\\${mark}`);
}

function count(value: number): string {
  return value.toLocaleString('en');
}
