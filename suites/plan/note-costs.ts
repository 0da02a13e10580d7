import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { CheckResult, Report } from 'gatecheck-reports/report';
import { isRed } from 'gatecheck-reports/verdict-words';
import { allChecks } from '../checks/all-checks.ts';
import { facts } from '../engine/facts.ts';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import {
  type CheckCost,
  type CheckCosts,
  costsFile,
  countsOf,
  type Knowledge,
  knowledges,
  type Recovery,
} from './check-costs.ts';

/**
 * `node suites/plan/note-costs.ts profile=reports/out/report.json address=OTHER/report.json` notes in the table what each
 * check of these runs of the reference has sent; one of them is enough. `smoke=FILE` does it of a run by address and key with
 * `--size smoke`. Checks that were not run keep their costs.
 */
export function noteCosts(
  costs: CheckCosts,
  knowledge: Knowledge,
  report: Pick<Report, 'checks' | 'spent'>,
  ids: readonly string[],
): CheckCosts {
  const results = new Map(report.checks.map((result) => [result.id, result]));
  const checks = ids.map((id) => {
    const known = costs.checks[id] ?? { profile: null, address: null };
    const result = results.get(id);
    const isMeasured = result !== undefined && result.not_run === undefined && !isRed(result.verdict);
    return [id, isMeasured ? { ...known, [knowledge]: costOf(result, known[knowledge]) } : known];
  });
  return {
    models: [...chatCatalogue, ...mediaModels].map(({ id }) => id),
    recovery:
      (knowledge === 'profile' && results.size === ids.length && recoveryOf(report)) || costs.recovery,
    checks: Object.fromEntries(checks),
  };
}

/** Notes what each check of a smoke run has sent, for the plan and the order of such runs. */
export function noteSmoke(costs: CheckCosts, { checks: results }: Pick<Report, 'checks'>): CheckCosts {
  const sent = new Map(
    results.flatMap((result) =>
      result.evidence.exchanges === 0 || isRed(result.verdict)
        ? []
        : [[result.id, costOf(result, costs.checks[result.id]?.smoke ?? null)] as const],
    ),
  );
  const checks = Object.entries(costs.checks).map(([id, known]) => {
    const smoke = sent.get(id) ?? known.smoke;
    return [id, smoke == null ? known : { ...known, smoke }];
  });
  return { ...costs, checks: Object.fromEntries(checks) };
}

/** Only a whole run shows it. */
function recoveryOf({ checks, spent }: Pick<Report, 'checks' | 'spent'>): Recovery | null {
  if (spent === undefined) return null;
  const calls = checks.flatMap(({ evidence }) => Object.values(evidence.models ?? {}));
  const exchanges = checks.reduce((sum, { evidence }) => sum + evidence.exchanges, 0);
  const paid = calls.reduce((sum, one) => sum + (one.paid ?? 0), 0);
  return {
    exchanges: spent.exchanges - exchanges,
    paid: spent.paid - paid,
    besideExchanges: exchanges,
  };
}

/** A busy machine only makes a check slower, so the shortest time counts. */
function costOf(
  { evidence, verdict, duration_ms: ms }: CheckResult,
  known: CheckCost | null,
): CheckCost | null {
  // A check that did not begin has drawn nothing.
  if (evidence.cases_digest === '') return null;
  const lacks = facts.filter((fact) => verdict === 'untestable' && evidence.missing.includes(fact));
  const models = Object.entries(evidence.models ?? {}).map(([id, calls]) => [id, countsOf(calls)]);
  return {
    exchanges: evidence.exchanges,
    reads: evidence.reads ?? 0,
    ms: Math.min(ms, known?.ms ?? ms),
    models: Object.fromEntries(models),
    ...(lacks.length === 0 ? {} : { lacks }),
  };
}

/** One line a check, so that a change of one is a change of a line. */
export function inLines({ models, recovery, checks }: CheckCosts): string {
  const lines = Object.entries(checks).map(
    ([id, cost]) => `  ${JSON.stringify(id)}: ${JSON.stringify(cost)}`,
  );
  return `{"models": ${JSON.stringify(models)},\n"recovery": ${JSON.stringify(recovery)},\n"checks": {\n${lines.join(',\n')}\n}}\n`;
}

function main(args: readonly string[]): void {
  let costs: CheckCosts = existsSync(costsFile)
    ? (JSON.parse(readFileSync(costsFile, 'utf8')) as CheckCosts)
    : { models: [], recovery: { exchanges: 0, paid: 0, besideExchanges: 1 }, checks: {} };
  for (const arg of args) {
    const [name, file = ''] = arg.split('=');
    const knowledge = knowledges.find((one) => one === name);
    const size = name === 'smoke' ? 'smoke' : 'quick';
    if (knowledge === undefined && size === 'quick')
      throw new Error(`${arg}: give profile=FILE, address=FILE or smoke=FILE`);
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    if (report.size !== size) throw new Error(`${file} is of a run of another size than ${size}`);
    if (knowledge === undefined) {
      costs = noteSmoke(costs, report);
      continue;
    }
    costs = noteCosts(
      costs,
      knowledge,
      report,
      allChecks.map(({ id }) => id),
    );
  }
  writeFileSync(costsFile, inLines(costs));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
