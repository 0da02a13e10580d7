import type { CheckResult, Failure } from './report.ts';

/** An error that a deployment returned where another answer was expected. */
interface Symptom {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly route: string;
  /** The words of an HTML page without what it quotes: a server or a proxy has it for all routes. */
  readonly page: string | null;
  /** The model of the request, where the error names it. */
  readonly model: string | null;
}

/** From this many routes on, an error is not specific to a route. */
const everywhere = 4;

/**
 * Finds failed checks that judge different rules but have the same symptom: the deployment answered each with the same error.
 * A rejected field is one symptom on all routes. Any other error is one symptom per route, unless it occurs nearly
 * everywhere. A condition that is never refused is one symptom, too.
 * @returns a function from a check to the key of its symptom, null if the rule says more.
 */
export function symptomsOf(checks: readonly CheckResult[]): (check: CheckResult) => string[] | null {
  const symptoms = new Map(checks.map((check) => [check, symptomOf(check)]));
  const routes = Map.groupBy(
    [...symptoms.values()].filter((symptom) => symptom !== null),
    ({ status, code }) => `${status} ${code}`,
  );
  const unrefused = new Map(
    [...Map.groupBy(checks, unrefusedIn)].map(([served, own]) => [
      served,
      new Set(own.map(({ failure }) => failure?.requirement)).size,
    ]),
  );
  return (check) => {
    const served = unrefusedIn(check);
    if (served !== null && (unrefused.get(served) ?? 0) >= severalRules) return ['fail', 'served', served];
    const symptom = symptoms.get(check) ?? null;
    if (symptom === null) return null;
    const { status, code, param, route, page, model } = symptom;
    if (page !== null) return ['fail', `${status} page`, page];
    if (status === 400) {
      const what = param ?? model;
      return what === null ? null : ['fail', '400', code, what];
    }
    const seen = new Set((routes.get(`${status} ${code}`) ?? []).map((one) => one.route));
    return ['fail', `${status} ${code}`, ...(seen.size >= everywhere ? [] : [route])];
  };
}

/** From this many rules on, a refusal that does not come is one defect. */
const severalRules = 3;

/** Codes that many rules expect for one condition. All others belong to one rule, or to one field. */
const sharedCode = /^\d{3} (context_too_long|unsupported_capability|invalid_api_key|concurrency_exceeded)$/;

/** The code of the refusal that a served request should have had; null for other failures. */
function unrefusedIn({ verdict, failure }: CheckResult): string | null {
  const { status = 0 } = failure?.exchange?.response ?? {};
  if (verdict !== 'fail' || status < 200 || status > 299) return null;
  return sharedCode.exec(failure?.expected ?? '')?.[1] ?? null;
}

function symptomOf({ verdict, failure }: CheckResult): Symptom | null {
  if (verdict !== 'fail' || failure === undefined || failure.exchange === null) return null;
  const { request, response } = failure.exchange;
  if (response === null || response.status < 400 || isAboutStatus(failure, response.status)) return null;
  // Rules about errors are broken separately in each place.
  if (failure.requirement.startsWith('ERR-')) return null;
  const { code = '', param = null } = errorIn(response.body);
  return {
    ...{ status: response.status, code, param, route: routeOf(request.url) },
    ...{ page: pageIn(response.body), model: modelNamed(request.body, response.body) },
  };
}

/** Whether the failure is not about this status: the status was expected, or the failure does not mention it. */
function isAboutStatus({ expected, actual }: Failure, status: number): boolean {
  const named = new RegExp(`\\b${status}\\b`);
  return named.test(expected) || !named.test(actual);
}

function errorIn(body: string): { readonly code?: string; readonly param?: string | null } {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; param?: unknown } };
    return {
      ...(typeof error?.code === 'string' ? { code: error.code } : {}),
      param: typeof error?.param === 'string' ? error.param : null,
    };
  } catch {
    return {};
  }
}

/** The model of a request that an error message names; null where it names none. */
function modelNamed(sent: string, answered: string): string | null {
  const [, model = ''] = /"model":\s*"([^"\\]{3,})"/.exec(sent) ?? [];
  return model !== '' && saysWhole(answered, model) ? model : null;
}

/** Whether a text has a word, and not only as a part of another one. */
export function saysWhole(text: string, word: string): boolean {
  const exact = word.replaceAll(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${exact}(?![\\w-])`).test(text);
}

/** The title of a page; null for other bodies. */
function pageIn(body: string): string | null {
  if (!/^\s*<(?:!doctype html|html)\b/i.test(body)) return null;
  return /<title>([^<]*)<\/title>/i.exec(body)?.[1]?.trim() ?? 'page';
}

/** The path without ids, models and query. */
function routeOf(url: string): string {
  const path = /^[a-z]+:\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? url;
  return path.replace(/\/tasks\/.+$/, '/tasks/{task_id}').replace(/\/models\/.+$/, '/models/{model}');
}
