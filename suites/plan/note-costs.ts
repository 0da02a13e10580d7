import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { CheckResult, Report } from 'gatecheck-reports/report';
import { isRed } from 'gatecheck-reports/verdict-words';
import { allChecks } from '../checks/all-checks.ts';
import { costsFile } from '../checks/areas.ts';
import { facts } from '../engine/facts.ts';
import { type ChatModel, chatCatalogue } from '../oracle/chat-catalogue.ts';
import { type MediaModel, mediaModels } from '../oracle/media/models.ts';
import { readJson } from '../process/read-file.ts';
import {
  type CheckCost,
  type CheckCosts,
  countsOf,
  type Knowledge,
  knowledges,
  type MeasuredCosts,
  type Recovery,
} from './check-costs.ts';

const unmeasured: MeasuredCosts = { profile: null, address: null };

/**
 * `node suites/plan/note-costs.ts profile=reports/out/report.json address=OTHER/report.json` updates the table from reports
 * of the reference gateway; one report is enough. `smoke=FILE` reads a run with only a URL and a key and `--size smoke`.
 * `models=FILE` reads a run on a deployment with one plain model. Checks that were not run keep their costs.
 */
export function noteCosts(
  costs: CheckCosts,
  knowledge: Knowledge,
  report: Pick<Report, 'checks' | 'spent' | 'duration_ms'>,
  ids: readonly string[],
): CheckCosts {
  const results = new Map(report.checks.map((result) => [result.id, result]));
  const isWhole = results.size === ids.length;
  const checks = ids.map((id) => {
    const known = costs.checks[id] ?? unmeasured;
    const result = results.get(id);
    const isMeasured = result !== undefined && result.not_run === undefined && !isRed(result.verdict);
    return [id, isMeasured ? { ...known, [knowledge]: costOf(result, known[knowledge]) } : known];
  });
  return {
    models: [...chatCatalogue, ...mediaModels].map(({ id }) => id),
    recovery: (knowledge === 'profile' && isWhole && recoveryOf(report)) || costs.recovery,
    side: knowledge === 'address' && isWhole ? sideOf(report) : costs.side,
    checks: Object.fromEntries(checks),
  };
}

/** The costs with a row for each check, in their order. A new check has an empty row, which pins its id. */
export function withRows(costs: CheckCosts, checks: readonly { readonly id: string }[]): CheckCosts {
  const rows = checks.map(({ id }) => [id, costs.checks[id] ?? unmeasured] as const);
  return { ...costs, checks: Object.fromEntries(rows) };
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

/**
 * Notes which models and facts each check needs, by what it missed on a deployment with a few plain models. A check that was
 * judged there without the models of its table is content with any chat model.
 */
export function noteModels(costs: CheckCosts, { checks: results }: Pick<Report, 'checks'>): CheckCosts {
  const noted = results.flatMap((result) => {
    const { id, evidence } = result;
    const known = costs.checks[id] ?? unmeasured;
    // Until a check begins, it misses what it declares.
    const found = evidence.cases_digest === '' ? [] : evidence.missing;
    const named = [...evidence.missing.filter((one) => !one.startsWith('compat.')), ...found].flatMap(
      modelsNamed,
    );
    const asks =
      named.length === 0 && isJudgedOnChat(result, known) ? chatsWhere(() => true) : [...new Set(named)];
    const lacks = facts.filter((fact) => found.includes(fact) && !fact.startsWith('compat.'));
    const profile = known.profile !== null && lacks.length > 0 ? { ...known.profile, lacks } : known.profile;
    const noting = { ...known, profile, ...(asks.length > 0 && { asks }) };
    return asks.length === 0 && profile === known.profile ? [] : [[id, noting] as const];
  });
  return { ...costs, checks: { ...costs.checks, ...Object.fromEntries(noted) } };
}

/** Whether a check that names media models alone passed where none but chat models are. */
function isJudgedOnChat(
  { verdict, evidence }: CheckResult,
  { profile, address, asks }: MeasuredCosts,
): boolean {
  const models = asks ?? Object.keys((profile ?? address)?.models ?? {});
  const isOfMedia = models.length > 0 && models.every((id) => mediaModels.some((model) => model.id === id));
  return verdict === 'pass' && evidence.exchanges > 0 && isOfMedia;
}

/** The models that a message about a missing model means, by its words. */
const meant: readonly (readonly [words: RegExp, ids: readonly string[]])[] = [
  [
    /a beta(?:-\*)? model|compat-a|compat path(?! B)|^compat\./,
    chatsWhere(({ family }) => family === 'beta'),
  ],
  [/a gamma model|compat-b|compat path(?! A)|^compat\./, chatsWhere(({ family }) => family === 'gamma')],
  [/speaks messages|besides the core chat path/, chatsWhere(({ family }) => family === 'beta')],
  [/speaks generate-content|besides the core chat path/, chatsWhere(({ family }) => family === 'gamma')],
  [/a video model/, mediaWhere(({ medium }) => medium === 'video')],
  [/pictures and tasks/, mediaWhere(() => true)],
  [/Vision/, chatsWhere(({ vision }) => vision === true)],
  [
    /images endpoint|an image |besides the core chat path/,
    mediaWhere(({ endpoint }) => endpoint === 'images'),
  ],
  [/tasks endpoint|task model|a task /, mediaWhere(({ endpoint }) => endpoint === 'tasks')],
];

function chatsWhere(holds: (model: ChatModel) => boolean): string[] {
  return chatCatalogue.filter(holds).map(({ id }) => id);
}

function mediaWhere(holds: (model: MediaModel) => boolean): string[] {
  return mediaModels.filter(holds).map(({ id }) => id);
}

function modelsNamed(missing: string): readonly string[] {
  const isOfModels =
    /^(?:models\.enabled with|a model (?:of|whose upstream)|a video model|a route of|an endpoint besides|traffic:|compat\.[ab]$)/;
  if (!isOfModels.test(missing)) return [];
  const words = missing.split(/[\s,]+/);
  const named = [...chatCatalogue, ...mediaModels].map(({ id }) => id).filter((id) => words.includes(id));
  return named.length > 0 ? named : meant.flatMap(([pattern, ids]) => (pattern.test(missing) ? ids : []));
}

function sideOf({ checks, duration_ms: ms }: Pick<Report, 'checks' | 'duration_ms'>): number {
  const sum = checks.reduce((total, check) => total + check.duration_ms, 0);
  return Math.max(1, Math.round((10 * sum) / ms) / 10);
}

/** The run's own calls; null for a partial run. */
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

/** One line for each check, so that a changed check is a changed line. */
export function inLines({ models, recovery, side, checks }: CheckCosts): string {
  const lines = Object.entries(checks).map(
    ([id, cost]) => `  ${JSON.stringify(id)}: ${JSON.stringify(cost)}`,
  );
  return `{"models": ${JSON.stringify(models)},\n"recovery": ${JSON.stringify(recovery)},\n"side": ${side},\n"checks": {\n${lines.join(',\n')}\n}}\n`;
}

function main(args: readonly string[]): void {
  let costs: CheckCosts = existsSync(costsFile)
    ? (JSON.parse(readFileSync(costsFile, 'utf8')) as CheckCosts)
    : { models: [], recovery: { exchanges: 0, paid: 0, besideExchanges: 1 }, side: 1, checks: {} };
  for (const arg of args) {
    const [name, file = ''] = arg.split('=');
    const knowledge = knowledges.find((one) => one === name);
    const size = name === 'smoke' ? 'smoke' : 'quick';
    if (knowledge === undefined && name !== 'smoke' && name !== 'models')
      throw new Error(`${arg}: give profile=FILE, address=FILE, smoke=FILE or models=FILE`);
    const report = readJson(file) as Report;
    if (name !== 'models' && report.size !== size)
      throw new Error(`${file} is of a run of another size than ${size}`);
    if (knowledge === undefined) {
      costs = (name === 'smoke' ? noteSmoke : noteModels)(costs, report);
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
