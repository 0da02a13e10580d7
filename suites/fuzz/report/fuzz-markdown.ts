import { plainText } from 'gatecheck-reports/plain-text';
import { type FuzzReport, failuresIn, type ReportedFinding } from './fuzz-report.ts';

/** The whole report in Markdown. */
export function fuzzMarkdown(report: FuzzReport): string {
  const { target, seed, sent, coverage } = report;
  const parts = [
    `# Fuzz of ${target.name}`,
    headline(report),
    [
      `- ${count(sent.requests)} damaged requests, ${sent.sequences} sequences of raw bytes, ${count(sent.bodies)} bodies for their cost; ${count(sent.exchanges)} exchanges in all`,
      `- ${count(coverage.covered)} of ${count(coverage.cells)} pairs of field and kind of damage covered`,
      `- paid: ${count(sent.paid)}${sent.usd === null ? '' : `, $${sent.usd}`}`,
      ...figureLines(report).map((line) => `- ${line}`),
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

/** The measurements, one line each: answers by status, waits of other callers, memory. */
export function figureLines({ statuses, others, beside_requests: beside, memory }: FuzzReport): string[] {
  const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const grown = (mb: number | null): string => (mb === null ? 'too short to compare' : `${mb} MB`);
  const byStatus = Object.entries(statuses).map(([status, seen]) => `${status} ${count(seen)} times`);
  return [
    ...(byStatus.length === 0 ? [] : [`answers to damaged requests: ${byStatus.join(', ')}`]),
    ...(others === null
      ? []
      : [
          `others waited ${ms(others.quiet_ms)} (median) in quiet, and ${ms(others.worst_seen_ms)} more at most beside a body; ${others.bound_ms} ms more, again and again, is a finding`,
        ]),
    ...(beside === null
      ? []
      : [
          `beside damaged requests others waited ${ms(beside.median_ms)} (median), ${ms(beside.p99_ms)} (p99), ${ms(beside.worst_ms)} at most`,
        ]),
    ...(memory === null
      ? []
      : [
          `memory of the gateway: ${memory.before_mb} MB before, ${memory.after_mb} MB after, ${memory.most_mb} MB at most; grown, once warm, beside bodies: ${grown(memory.grown_mb.costs)}, beside damaged requests: ${grown(memory.grown_mb.fields)}`,
        ]),
  ];
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

/** Text on one line that cannot end a table row or begin markup. */
function inline(text: string): string {
  const line = plainText(text).replaceAll(/\s+/g, ' ').slice(0, 300);
  return line.replaceAll(/[|<>`*_[\]]/g, (mark) => `\\${mark}`);
}

function count(value: number): string {
  return value.toLocaleString('en');
}
