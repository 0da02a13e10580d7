import { type Check, defineCheck } from '../../engine/check.ts';
import { referenceVersion } from '../../engine/compat-request.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { judgeOtherPath } from '../../oracle/other-path.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { compatA, compatB, type Protocol } from '../../steps/protocols/protocol.ts';
import { protocolModelOf } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { type Exchange, isSuccess, jsonOf } from '../../wire/exchange.ts';

/** A compat path: where it must be, must not be, and may be as well. */
interface PathRules {
  readonly protocol: Protocol;
  readonly fact: 'compat.a' | 'compat.b';
  readonly requirement: string;
  readonly version: string;
  readonly path: (model: string) => string;
  /** Other versions of the path, and paths with parts missing. */
  readonly others: readonly (readonly [from: string, to: string])[];
  /** Paths that may answer. */
  readonly tolerated: readonly (readonly [from: string, to: string])[];
}

const rules: readonly PathRules[] = [
  {
    protocol: compatA,
    fact: 'compat.a',
    requirement: 'EP-005',
    version: 'VER-002',
    path: () => '/compat-a/v1/messages',
    others: [
      ['/v1', '/v2'],
      ['/v1', '/v0'],
      ['/v1', '/v1beta'],
      ['/v1', ''],
      ['/compat-a', ''],
      ['/compat-a', '/COMPAT-A'],
      ['messages', 'Messages'],
    ],
    tolerated: [],
  },
  {
    protocol: compatB,
    fact: 'compat.b',
    requirement: 'EP-006',
    version: 'VER-003',
    path: (model) => `/compat-b/v1beta/models/${model}:generateContent`,
    others: [
      ['/v1beta', '/v2beta'],
      ['/v1beta', '/v1alpha'],
      ['/v1beta', ''],
      ['/compat-b', ''],
      ['/compat-b', '/COMPAT-B'],
      [':generateContent', ':GenerateContent'],
    ],
    tolerated: [['/v1beta', '/v1']],
  },
];

/** One check for each compat path: it accepts only POST, and only under its own version. */
export const pathChecks: readonly Check[] = rules.map((rule) =>
  defineCheck({
    id: `faces.paths.${rule.protocol.name}`,
    title: `${rule.protocol.name} is at its path, for POST alone and under its version alone`,
    requirements: [rule.requirement, rule.version],
    kind: 'example',
    needs: [rule.fact],
    run: (parts) => judgePath(parts, rule),
  }),
);

export const versionHeaderHasItsName = defineCheck({
  id: 'faces.paths.version-header',
  title: "compat A's version header is compat-a-version, named if one is required (reading B-94)",
  requirements: ['VER-004'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const { newScene, http, target, judge } = parts;
    const { protocol, model } = protocolModelOf(target, compatA);
    const body = protocol.body(newScene(), { model });
    const twin = await http.compatA(body, { label: `compat-a-version ${referenceVersion}` });
    readSaid(judge, protocol, twin, { requirement: 'VER-004', aspect: 'served-with-header', model });
    const upper = { 'Compat-A-Version': referenceVersion };
    const shouted = await http.compatA(body, { version: null, headers: upper, label: 'Compat-A-Version' });
    readSaid(judge, protocol, shouted, { requirement: 'VER-004', aspect: 'case-of-header', model, twin });
    for (const headers of [{}, { 'compat-b-version': referenceVersion }, { version: referenceVersion }])
      await judgeWithout(parts, body, headers, twin);
  },
});

async function judgePath(parts: CheckParts, rule: PathRules): Promise<void> {
  const { cases, judge, target } = parts;
  const { protocol, requirement, version } = rule;
  const { model } = protocolModelOf(target, protocol);
  const path = rule.path(model);
  const twin = await at(parts, protocol, path, model, 'POST');
  readSaid(judge, protocol, twin, { requirement, aspect: 'served', model });
  for (const method of target.few(['GET', 'PUT', 'PATCH', 'DELETE'])) {
    cases.count();
    const exchange = await at(parts, protocol, path, model, method);
    judgeOpenRefusal(exchange, { requirement, aspect: 'post-alone', statuses: [404, 405], twin });
  }
  for (const [from, to] of target.few(rule.others)) {
    cases.count();
    const other = path.replace(from, to);
    const exchange = await at(parts, protocol, other, model, 'POST');
    judgeOtherPath(exchange, other, { requirement: version, aspect: 'other-version', twin });
  }
  for (const [from, to] of rule.tolerated) {
    cases.count();
    const exchange = await at(parts, protocol, path.replace(from, to), model, 'POST');
    const isServed = isSuccess(exchange);
    judge.note(`${isServed ? 'serves' : 'refuses'} ${to} for ${from}`);
    if (isServed)
      readSaid(judge, protocol, exchange, { requirement: version, aspect: 'tolerated-clean', model });
    else judgeOpenRefusal(exchange, { requirement: version, aspect: 'tolerated-clean', statuses: [404] });
  }
}

/** Calls a protocol at a path, with the key in the protocol's own place. */
function at(
  { keys, http, newScene }: CheckParts,
  protocol: Protocol,
  path: string,
  model: string,
  method: string,
): Promise<Exchange> {
  const key = keys.K1;
  return http.send({
    method,
    path: protocol === compatB ? `${path}?key=${encodeURIComponent(key)}` : path,
    headers: protocol === compatA ? { 'x-api-key': key, 'compat-a-version': referenceVersion } : {},
    label: `${method} ${path}`,
    ...(method === 'GET' ? {} : { body: protocol.body(newScene(), { model }) }),
  });
}

async function judgeWithout(
  { cases, http, judge }: CheckParts,
  body: JsonObject,
  headers: Readonly<Record<string, string>>,
  twin: Exchange,
): Promise<void> {
  cases.count();
  const named = Object.keys(headers).join(', ') || 'no version header';
  const exchange = await http.compatA(body, { version: null, headers, label: named });
  if (isSuccess(exchange)) {
    judge.note(`${named}: served`);
    return;
  }
  const rule = { requirement: 'VER-004', aspect: 'refusal-names-header' };
  judge.refused(exchange, { ...rule, codes: ['invalid_param'], twin });
  const { param } = (jsonOf(exchange) as { error: { param?: unknown } }).error;
  must(typeof param === 'string' && param.toLowerCase() === 'compat-a-version', {
    ...rule,
    expected: 'param compat-a-version, the missing header',
    actual: `param ${JSON.stringify(param)}`,
    exchange,
    twin,
  });
}
