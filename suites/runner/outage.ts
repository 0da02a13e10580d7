import type { CheckFacts } from '../engine/check.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { CheckRecord } from '../engine/parts/check-record.ts';
import { wayOf } from '../engine/way-of.ts';
import { isJsonObject, parseJson } from '../json.ts';
import type { Finding } from '../rules/violation.ts';
import { type Exchange, errorCodeOf, outcomeOf } from '../wire/exchange.ts';
import type { Outcome } from './conclude.ts';

/** The core's ways in for chats. */
export type ChatWay = 'core' | 'core, stream';

/** The checks that tell, once each, that chats are not served at all: all others need that they are. */
const tellers: Readonly<Record<string, string>> = {
  'chat.minimal.every-model': 'CHAT-001',
  'sse.shape.every-model': 'SSE-001',
};

/** Rules about who is let in, and where: no refusal of these kinds says that chats are not served. */
const ofTheCaller = [401, 403, 404, 405, 429];

/**
 * What a check found, without the failures that say nothing about its rules: a chat that the deployment refuses, where it
 * serves no plain chat either, of that model and of another. Plain chats are sent to know, unless the check saw a chat served, or
 * any check a plain one: then a check may have done the harm itself. A check that could not be judged otherwise is untestable.
 * Those that break upstreams or the deployment on purpose are left alone.
 * @param served the ways in on which a plain chat of the run was served so far; those of this check are added
 */
export async function withoutOutages(
  check: Pick<CheckFacts, 'id' | 'needs'>,
  parts: Pick<CheckParts, 'http' | 'newScene' | 'target'>,
  record: Pick<CheckRecord, 'violations' | 'sent'>,
  { outcome, served }: { readonly outcome: Outcome; readonly served: Set<ChatWay> },
): Promise<Outcome> {
  const own = new Set<ChatWay>();
  for (const exchange of record.sent) {
    const way = exchange.response?.status === 200 ? wayIn(exchange) : null;
    if (way === null) continue;
    own.add(way);
    if (isPlain(exchange)) served.add(way);
  }
  const controls = new Map<string, Promise<Exchange | null>>();
  const unserved = async (finding: Finding | null): Promise<Exchange | null> => {
    if (finding === null || !isOfOutage(check, finding)) return null;
    const exchange = finding.exchange as Exchange;
    const way = wayIn(exchange);
    if (way === null || own.has(way) || served.has(way)) return null;
    const control = { models: twoModels(exchange, parts), stream: way === 'core, stream' };
    const name = JSON.stringify(control);
    const known = controls.get(name) ?? refusedToAll(parts, control);
    controls.set(name, known);
    return known;
  };
  const [thrown, ...found] = await Promise.all([outcome.finding, ...record.violations].map(unserved));
  const kept = record.violations.filter((_, index) => found[index] === null);
  record.violations.splice(0, record.violations.length, ...kept);
  const control = thrown ?? found.find((one) => one !== null) ?? null;
  if (control === null || (outcome.verdict !== 'pass' && thrown === null)) return outcome;
  const code = errorCodeOf(control);
  const got = typeof code === 'string' ? `${outcomeOf(control)} ${code}` : outcomeOf(control);
  const missing = [`a chat that is served (${control.label} got ${got})`];
  return { verdict: 'untestable', finding: null, missing };
}

function isOfOutage({ id, needs }: Pick<CheckFacts, 'id' | 'needs'>, finding: Finding): boolean {
  const { exchange, requirement } = finding;
  if (exchange === undefined || tellers[id] === requirement || !isFailure(exchange)) return false;
  if (needs.some((fact) => /^(?:upstream|hooks)\b/.test(fact))) return false;
  return wayIn(exchange) !== null;
}

function isFailure({ response }: Exchange): boolean {
  return response !== null && response.status >= 400 && !ofTheCaller.includes(response.status);
}

/** The core's way in for chats; null for all else. */
function wayIn({ request }: Exchange): ChatWay | null {
  const { method, path } = lineOf(request);
  const start = Math.max(path.indexOf('/api/v1/'), 0);
  const way = wayOf({ method, path: path.slice(start), body: request.body });
  return way === 'core' || way === 'core, stream' ? way : null;
}

/** Whether a chat asks for nothing but an answer, or a stream of it. */
function isPlain({ request }: Exchange): boolean {
  const body = parseJson(request.body.toString('utf8'));
  return (
    isJsonObject(body) && Object.keys(body).every((name) => ['model', 'messages', 'stream'].includes(name))
  );
}

/** Method and path, of raw bytes by their first line. */
function lineOf({ method, url, body }: Exchange['request']): { method: string; path: string } {
  const [, named, target] = /^(\w+) (\S+) HTTP\/1\.1\r\n/.exec(body.toString('latin1')) ?? [];
  if (method === 'RAW' && named !== undefined && target !== undefined) return { method: named, path: target };
  return { method, path: new URL(url).pathname };
}

/** The model of a request, if it is one that is enabled, and another one. */
function twoModels(exchange: Exchange, { target }: Pick<CheckParts, 'target'>): string[] {
  const body = parseJson(exchange.request.body.toString('utf8'));
  const named = target.models.filter((id) => isJsonObject(body) && body.model === id);
  return [...new Set([...named, ...target.models])].slice(0, 2);
}

/** How the last of these models refuses a plain chat; null where one of them serves it. */
async function refusedToAll(
  { http, newScene }: Pick<CheckParts, 'http' | 'newScene'>,
  { models, stream }: { readonly models: readonly string[]; readonly stream: boolean },
): Promise<Exchange | null> {
  let last: Exchange | null = null;
  for (const model of models) {
    const body = { ...newScene().minimal(model), ...(stream ? { stream } : {}) };
    last = await http.chat(body, { label: `a plain ${stream ? 'stream' : 'chat'} of ${model}` });
    if (!isFailure(last)) return null;
  }
  return last;
}
