import { areaName, groupByArea } from './areas.ts';
import { failuresOf } from './failures-of.ts';
import { outcomeOf, outcomeWords } from './outcome.ts';
import { plainText } from './plain-text.ts';
import type { CheckResult, Failure, Report, ReportedExchange, Verdict } from './report.ts';

/**
 * JUnit XML for CI systems: one suite per area, one case per check. Untestable, not applicable and waived checks
 * are skipped with their reason. Warnings and observations pass and carry a property. A run that ended early or
 * never started gets an additional erroneous case, so that no CI reads an empty file as green.
 */
export function renderJunit(report: Report): string {
  const groups = groupByArea(report.checks);
  const incomplete = isIncomplete(report);
  const totals = count(report.checks, report.duration_ms);
  if (incomplete) {
    totals.tests += 1;
    totals.errors += 1;
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `gatecheck ${report.target.name}`, ...numbers(totals) })}>`,
    ...(incomplete ? [runSuite(report)] : []),
    ...groups.map(([area, checks]) => suite(area, checks, report)),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Totals {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  ms: number;
}

function suite(area: string, checks: readonly CheckResult[], report: Report): string {
  const totals = count(
    checks,
    checks.reduce((sum, check) => sum + check.duration_ms, 0),
  );
  const head = { name: `${area}: ${areaName(area)}`, timestamp: report.started_at, ...numbers(totals) };
  const facts = [
    property('target', report.target.base_url),
    property('seed', String(report.seed)),
    property('size', report.size),
  ];
  return element('testsuite', head, element('properties', {}, ...facts), ...checks.map(testcase));
}

function testcase(check: CheckResult): string {
  const head = {
    classname: `gatecheck.${check.area}`,
    name: `${check.id}: ${check.title}`,
    time: seconds(check.duration_ms),
  };
  const facts = [
    ...check.requirements.map((id) => property('requirement', id)),
    property('level', check.level),
    property('verdict', check.verdict),
    ...(check.failure === undefined ? [] : [property('aspect', check.failure.aspect)]),
    ...notable(check).map((note) => property(check.verdict, note)),
  ];
  return element('testcase', head, element('properties', {}, ...facts), ...result(check));
}

/** The elements of a case that did not simply pass. */
function result(check: CheckResult): string[] {
  const { failure, also = [], evidence } = check;
  const notes = evidence.notes.join('\n');
  switch (check.verdict) {
    case 'fail':
      return [
        element(
          'failure',
          { message: failure === undefined ? notes : summary(failure), type: failure?.aspect ?? 'failure' },
          escapeXml(failure === undefined ? notes : [failure, ...also].map(details).join('\n')),
        ),
      ];
    case 'harness-error':
      return [
        element(
          'error',
          {
            message: evidence.notes[0] ?? failure?.actual ?? 'the check itself broke',
            type: 'harness-error',
          },
          escapeXml(failure === undefined ? notes : details(failure)),
        ),
      ];
    case 'untestable':
    case 'not-applicable':
    case 'waived':
      return [element('skipped', { message: whySkipped(check, check.verdict) })];
    case 'flaky':
    case 'pass':
    case 'warn':
    case 'observed':
      return [];
  }
}

function whySkipped(check: CheckResult, verdict: 'untestable' | 'not-applicable' | 'waived'): string {
  if (verdict === 'waived') {
    const until = check.waiver?.until ?? null;
    return `waived${until === null ? '' : ` until ${until}`}: ${check.waiver?.reason ?? 'no reason given'}`;
  }
  const facts = check.evidence.missing.join(', ');
  if (check.not_run !== undefined) return `not run: ${check.not_run}`;
  if (verdict === 'untestable') return facts === '' ? 'untestable' : `untestable: give ${facts}`;
  return facts === '' ? 'not applicable' : `not applicable: ${facts}`;
}

function notable(check: CheckResult): string[] {
  if (check.verdict === 'flaky') return [...check.evidence.notes, ...failuresOf(check).map(summary)];
  return check.verdict === 'warn' || check.verdict === 'observed' ? check.evidence.notes : [];
}

function summary(failure: Failure): string {
  return `${failure.requirement} ${failure.aspect}: expected ${failure.expected}; got ${failure.actual}`;
}

function details(failure: Failure): string {
  const lines = [
    `${failure.requirement} ${failure.statement} (${failure.section})`,
    `aspect:   ${failure.aspect}`,
    failure.seen_in === undefined ? null : `seen in:  ${failure.seen_in}`,
    `expected: ${failure.expected}`,
    `actual:   ${failure.actual}`,
    failure.exchange === null ? null : `exchange: ${exchangeText(failure.exchange)}`,
    failure.twin === null ? null : `twin:     ${exchangeText(failure.twin)}`,
    failure.upstream === null ? null : `upstream: ${failure.upstream}`,
    failure.input === null ? null : `input:    ${failure.input}`,
    failure.curl === null ? null : `curl:     ${failure.curl}`,
    `replay:   ${failure.replay}`,
  ];
  return `\n${lines.filter((line) => line !== null).join('\n')}\n`;
}

function exchangeText({ request, response, error }: ReportedExchange): string {
  const answer = response === null ? (error ?? 'no response') : `${response.status} ${response.body}`;
  return `${request.method} ${request.url} ${request.body}\n       -> ${answer}`;
}

/** Whether "no failures" would mislead, because checks did not run. */
function isIncomplete(report: Report): boolean {
  const brokenUnseen = report.exit_code === 4 && report.summary.errors === 0;
  return report.stopped !== null || brokenUnseen || [2, 3, 5, 130].includes(report.exit_code);
}

function runSuite(report: Report): string {
  const message = report.stopped === null ? report.headline : `${report.stopped}. ${report.headline}`;
  const error = element('error', { message, type: outcomeWords[outcomeOf(report)] });
  const run = element('testcase', { classname: 'gatecheck', name: 'the run as a whole', time: '0' }, error);
  return element('testsuite', { name: 'run', tests: '1', failures: '0', errors: '1', skipped: '0' }, run);
}

function count(checks: readonly CheckResult[], ms: number): Totals {
  const having = (...verdicts: Verdict[]): number =>
    checks.filter((check) => verdicts.includes(check.verdict)).length;
  return {
    tests: checks.length,
    failures: having('fail'),
    errors: having('harness-error'),
    skipped: having('untestable', 'not-applicable', 'waived'),
    ms,
  };
}

function numbers({ tests, failures, errors, skipped, ms }: Totals): Record<string, string> {
  return {
    tests: String(tests),
    failures: String(failures),
    errors: String(errors),
    skipped: String(skipped),
    time: seconds(ms),
  };
}

function property(name: string, value: string): string {
  return element('property', { name, value });
}

function element(name: string, values: Record<string, string>, ...children: readonly string[]): string {
  const head = `<${name}${attributes(values)}`;
  if (children.length === 0) return `${head}/>`;
  const glue = children.some((child) => child.startsWith('<')) ? '\n' : '';
  return `${head}>${glue}${children.join('\n')}${glue}</${name}>`;
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('\n', '&#10;')}"`)
    .join('');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Escapes text, and drops what XML 1.0 cannot express: controls, lone surrogates and the two non-characters. */
function escapeXml(text: string): string {
  return plainText(text)
    .replace(/[\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
