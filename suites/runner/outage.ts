import type { CheckFacts } from '../engine/check.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { CheckRecord } from '../engine/parts/check-record.ts';
import { type WayName, wayOf } from '../engine/way-of.ts';
import { mediaModel } from '../oracle/media/models.ts';
import { servedCall } from '../oracle/need-served.ts';
import type { Profile } from '../profile/profile.ts';
import type { Finding } from '../rules/violation.ts';
import { compatA, compatB } from '../steps/protocols/protocol.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { type Exchange, errorCodeOf, errorParamOf, isSuccess } from '../wire/exchange.ts';
import type { Outcome } from './conclude.ts';
import { setAside } from './unknown-keys.ts';

/** The checks that report, once each, that an endpoint refuses every call: all others need it open. */
const tellers: Readonly<Record<string, string>> = {
  'chat.minimal.every-model': 'CHAT-001',
  'compa.models.plain': 'COMPA-001',
  'compa.models.streamed': 'COMPA-010',
  'compb.models.plain': 'COMPB-001',
  'compb.models.streamed': 'COMPB-010',
  'ep.routes.images': 'EP-007',
  'ep.routes.submit': 'EP-008',
  'faces.paths.compat-a': 'EP-005',
  'faces.paths.compat-b': 'EP-006',
  'img.answer.every-model': 'IMG-001',
  'sse.shape.every-model': 'SSE-001',
};

/** The checks that report an endpoint which accepts no key. */
const tellersOfKeys: Readonly<Record<string, string>> = {
  'compa.key.header': 'COMPA-008',
  'compb.key.in-query': 'COMPB-007',
  'faces.keys.one-for-all': 'AUTH-007',
};

/** The checks that report an endpoint which rejects the version header. */
const tellersOfVersions: Readonly<Record<string, string>> = {
  'compa.version.header': 'COMPA-009',
  'faces.paths.version-header': 'VER-004',
};

/** Refusals of the caller. On the core path they do not mean that the endpoint serves nothing. */
const ofTheCaller = [401, 403, 404, 405];

/**
 * Removes failures that say nothing about a check's rules, because its endpoint also refuses plain calls of two models. Plain
 * calls are sent to find out. They are not sent if the check saw a call served there, or any check saw a plain call served.
 * In that case a check may have caused the refusals. A check that cannot be judged otherwise is untestable. Checks that break
 * upstreams or the deployment on purpose are left alone.
 * @param served the endpoints on which a plain call of the run was served so far; this check's are added
 * @param breaks whether checks break upstreams, so that an undeclared circuit breaker may open for all of them
 */
export async function withoutOutages(
  check: Pick<CheckFacts, 'id' | 'needs'>,
  parts: ControlParts,
  record: Pick<CheckRecord, 'violations' | 'sent'>,
  { outcome, served, breaks = false }: Surroundings,
): Promise<Outcome> {
  const own = new Set<WayName>();
  for (const exchange of record.sent) {
    const way = isSuccess(exchange) ? wayIn(exchange) : null;
    if (way === null) continue;
    own.add(way);
    if (isPlain(exchange)) served.add(way);
  }
  const controls = new Map<string, Promise<Exchange | null>>();
  const met = breaks ? record.sent.findLast(isOutage) : undefined;
  const unserved = async (finding: Finding): Promise<Exchange | null> => {
    const { exchange = met } = finding;
    if (exchange === undefined) return null;
    const way = wayIn(exchange);
    if (way === null) return null;
    const wasServed = own.has(way) || served.has(way);
    // An outage must be reported in any case, or a deployment that serves nothing would pass.
    const isTold = tellersFor(exchange)[check.id] === finding.requirement;
    const isOpen = breaks && wasServed && !isTold && isOutage(exchange);
    if (!isOpen && (wasServed || !isOfOutage(check, finding))) return null;
    // A breaker may be open for one model only.
    const models = twoModels(way, exchange, parts).slice(0, isOpen ? 1 : 2);
    const name = JSON.stringify([way, models]);
    const known = controls.get(name) ?? refusedToAll(parts, way, models);
    controls.set(name, known);
    const control = await known;
    return control !== null && (isOpen ? isOutage : isAlike)(control, exchange) ? control : null;
  };
  const findings = [outcome.finding, ...record.violations].filter((finding) => finding !== null);
  const found = await Promise.all(findings.map(unserved));
  const [control] = found.filter((one) => one !== null);
  if (control === undefined) return outcome;
  return setAside(record.violations, outcome, {
    aside: new Set(findings.filter((_, index) => found[index] !== null)),
    missing: breaks && isOutage(control) ? 'upstream.breaker' : servedCall(control),
  });
}

/** Whether checks break upstreams of a deployment that may have an undeclared circuit breaker. */
export function mayBreakOpen({ upstream, absent }: Pick<Profile, 'upstream' | 'absent'>): boolean {
  return upstream !== undefined && upstream.breaker === undefined && !absent.includes('upstream.breaker');
}

/** The context of a check that has ended. */
interface Surroundings {
  readonly outcome: Outcome;
  readonly served: Set<WayName>;
  readonly breaks?: boolean;
}

function isOutage(exchange: Exchange): boolean {
  return errorCodeOf(exchange) === 'channel_outage';
}

function isOfOutage({ id, needs }: Pick<CheckFacts, 'id' | 'needs'>, finding: Finding): boolean {
  const { exchange, requirement } = finding;
  if (exchange === undefined || !isFailure(exchange)) return false;
  if (tellersFor(exchange)[id] === requirement) return false;
  if (needs.some((fact) => /^(?:upstream|hooks)\b/.test(fact))) return false;
  return wayIn(exchange) !== null;
}

/** The check that reports a closed endpoint, by the endpoint's answer. */
function tellersFor(exchange: Exchange): Readonly<Record<string, string>> {
  const { status } = exchange.response ?? {};
  if (status === 401 || status === 403) return tellersOfKeys;
  return errorParamOf(exchange) === 'compat-a-version' ? tellersOfVersions : tellers;
}

/**
 * Whether a refusal may mean that nothing is served. On a compat path this is any refusal except by the cap, because the path
 * may be missing.
 */
function isFailure(exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === null || response.status < 400 || response.status === 429) return false;
  return wayIn(exchange)?.startsWith('compat') === true || !ofTheCaller.includes(response.status);
}

/** Whether two refusals have the same cause. On a compat path, refusals may have any cause, so the status must match. */
function isAlike(control: Exchange, exchange: Exchange): boolean {
  if (wayIn(exchange)?.startsWith('compat') !== true) return true;
  return control.response?.status === exchange.response?.status;
}

/** The endpoint that a request calls, whatever the deployment's path prefix. */
function wayIn({ request }: Exchange): WayName | null {
  const { method, path } = lineOf(request);
  const start = Math.max(path.search(/\/(?:api\/v1|compat-[ab])\//), 0);
  return wayOf({ method, path: path.slice(start), body: request.body });
}

const plainMembers = ['model', 'messages', 'stream', 'max_tokens', 'contents', 'prompt'];

/** Whether a call has only the minimal members, streamed or not. */
function isPlain(exchange: Exchange): boolean {
  const body = parseJson(exchange.request.body.toString('utf8'));
  if (!isJsonObject(body)) return false;
  const isOfCore = wayIn(exchange)?.startsWith('core') === true;
  const allowed = isOfCore ? plainMembers.slice(0, 3) : plainMembers;
  return Object.keys(body).every((name) => allowed.includes(name));
}

/** Method and path; for raw bytes, from their first line. */
function lineOf({ method, url, body }: Exchange['request']): { method: string; path: string } {
  const [, named, target] = /^(\w+) (\S+) HTTP\/1\.1\r\n/.exec(body.toString('latin1')) ?? [];
  if (method === 'RAW' && named !== undefined && target !== undefined) return { method: named, path: target };
  return { method, path: new URL(url).pathname };
}

/** The parts that send a plain call. */
type ControlParts = Pick<CheckParts, 'http' | 'newScene' | 'target' | 'images' | 'tasks'>;

/** The model of a request, if the endpoint serves it, and another one. */
function twoModels(way: WayName, { request }: Exchange, { target }: ControlParts): string[] {
  const all = modelsOf(way, target);
  const body = parseJson(request.body.toString('utf8'));
  const named = all.filter(
    (id) => (isJsonObject(body) && body.model === id) || request.url.includes(`/${id}:`),
  );
  return [...new Set([...named, ...all])].slice(0, 2);
}

function modelsOf(way: WayName, target: ControlParts['target']): readonly string[] {
  if (way === 'images' || way === 'tasks')
    return target.mediaModels.filter((id) => mediaModel(id)?.endpoint === way);
  if (way.startsWith('core')) return target.models;
  const protocol = way.startsWith('compat-a') ? compatA : compatB;
  return target.nativeModels.filter((id) => protocol.serves(id));
}

/** The refusal of a plain call by the last of these models; null when one of them is served. */
async function refusedToAll(
  parts: ControlParts,
  way: WayName,
  models: readonly string[],
): Promise<Exchange | null> {
  let last: Exchange | null = null;
  for (const model of models) {
    last = await plainCall(parts, way, model);
    if (!isFailure(last)) return null;
  }
  return last;
}

function plainCall(parts: ControlParts, way: WayName, model: string): Promise<Exchange> {
  const { http, newScene, images, tasks } = parts;
  const stream = way.endsWith('stream');
  const asked = stream ? { stream } : {};
  const label = `a plain ${stream ? 'stream' : 'call'} of ${model}`;
  switch (way) {
    case 'core':
    case 'core, stream':
      return http.chat({ ...newScene().minimal(model), ...asked }, { label });
    case 'compat-a':
    case 'compat-a, stream':
      return http.compatA({ ...newScene().minimalA(model), ...asked }, { label });
    case 'compat-b':
    case 'compat-b, stream':
      return http.compatB(model, newScene().minimalB(), { label, stream });
    case 'images':
      return images.generate(newScene().minimalMedia(model), { label });
    case 'tasks':
      return tasks.submit(newScene().minimalMedia(model), { label });
  }
}
