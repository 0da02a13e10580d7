import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { must } from '../../rules/violation.ts';
import { coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import {
  compatOf,
  formsOn,
  type ProtocolModel,
  protocolModelsOf,
} from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { type Exchange, excerpt, isSuccess, outcomeOf } from '../../wire/exchange.ts';

/** Each path's place for a key, to try on the other paths. */
const places: Readonly<Record<Protocol['name'], (key: string) => { headers: JsonObject; query: string }>> = {
  core: (key) => ({ headers: { authorization: `Bearer ${key}` }, query: '' }),
  'compat-a': (key) => ({ headers: { 'x-api-key': key }, query: '' }),
  'compat-b': (key) => ({ headers: {}, query: `?key=${encodeURIComponent(key)}` }),
};

interface KeyState {
  readonly name: 'disabled' | 'expired' | 'ip_restricted';
  readonly code: ErrorCode;
  readonly requirement: string;
}

const states: readonly KeyState[] = [
  { name: 'disabled', code: 'sk_disabled', requirement: 'AUTH-008' },
  { name: 'expired', code: 'sk_expired', requirement: 'AUTH-009' },
  { name: 'ip_restricted', code: 'ip_not_allowed', requirement: 'AUTH-010' },
];

export const oneKeyOpensAllPaths = defineCheck({
  id: 'faces.keys.one-for-all',
  title: 'the same key works on the core path and both compat paths, each in its own place',
  requirements: ['AUTH-007'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, http, judge } = parts;
    for (const protocolModel of protocolModelsOf(parts)) {
      const { protocol, model } = protocolModel;
      for (const stream of await formsOn(parts, protocolModel)) {
        cases.count();
        const body = protocol.body(newScene(), { model });
        const exchange = await protocol.send(http, model, body, { label: `K1 on ${protocol.name}`, stream });
        readSaid(judge, protocol, exchange, { requirement: 'AUTH-007', aspect: 'one-key', model, stream });
      }
    }
  },
});

export const otherPlacesAreClean = defineCheck({
  id: 'faces.keys.other-places',
  title: "a key in another path's place is refused, or on a compat path served (reading B-96)",
  requirements: ['AUTH-007', 'AUTH-006'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, keys, judge } = parts;
    const facings = protocolModelsOf(parts);
    for (const { protocol, model } of facings) {
      for (const other of facings.filter((protocolModel) => protocolModel.protocol !== protocol)) {
        cases.count();
        const exchange = await atPlaceOf(parts, { protocol, model }, other.protocol, keys.K1);
        const label = `${protocol.name}, key in the place for ${other.protocol.name}`;
        const served = isSuccess(exchange) && protocol !== coreProtocol;
        const rule =
          protocol === coreProtocol
            ? { requirement: 'AUTH-006', aspect: 'place-of-another-path' }
            : { requirement: 'AUTH-007', aspect: 'other-place' };
        if (!served) judge.refused(exchange, { ...rule, codes: ['invalid_api_key'] });
        else judge.note(`${label}: served`);
      }
    }
  },
});

/** Compat paths refuse unusable keys just as the core path does. */
export const keyStateChecks: readonly Check[] = states.map((state) =>
  defineCheck({
    id: `faces.keys.${state.name.replace('_', '-')}`,
    title: `compat paths answer the ${state.name.replace('_', '-')} key with ${state.code}, streams and bad bodies too`,
    requirements: [state.requirement, 'AUTH-018'],
    kind: 'example',
    needs: [`keys.${state.name}`],
    run: (parts) => judgeState(parts, state),
  }),
);

export const unknownKeyIsRefused = defineCheck({
  id: 'faces.keys.unknown',
  title: 'an unknown key is answered 401 invalid_api_key on every path and reaches no upstream',
  requirements: ['AUTH-005', 'ERR-014'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { keys, accounts, cases, newScene, http, judge } = parts;
    const good = keys.K1;
    const wrong = [
      `${good.slice(0, -1)}${good.endsWith('x') ? 'y' : 'x'}`,
      `${good}x`,
      'sk-app-never-issued',
    ];
    for (const { protocol, model } of protocolModelsOf(parts)) {
      for (const key of wrong.map((one) => accounts.altered(one))) {
        cases.count();
        const scene = newScene();
        const body = protocol.body(scene, { model });
        const exchange = await protocol.send(http, model, body, {
          label: `${protocol.name}, an unknown key`,
          key,
        });
        judge.refused(exchange, {
          requirement: 'AUTH-005',
          aspect: 'unknown-on-every-path',
          codes: ['invalid_api_key'],
        });
        must(!exchange.response?.body.includes(key), {
          requirement: 'AUTH-005',
          aspect: 'key-unsaid',
          expected: 'an answer that does not repeat the key',
          actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
          exchange,
        });
      }
    }
  },
});

/** Calls a protocol with the key only in another protocol's place. */
function atPlaceOf(
  { http, newScene }: CheckParts,
  { protocol, model }: ProtocolModel,
  other: Protocol,
  key: string,
): Promise<Exchange> {
  const { headers, query } = places[other.name](key);
  const path = {
    core: '/api/v1/chat/completions',
    'compat-a': '/compat-a/v1/messages',
    'compat-b': `/compat-b/v1beta/models/${model}:generateContent`,
  }[protocol.name];
  return http.send({
    method: 'POST',
    path: path + query,
    headers: {
      ...(protocol.name === 'compat-a' ? { 'compat-a-version': '2023-06-01' } : {}),
      ...(headers as Record<string, string>),
    },
    body: protocol.body(newScene(), { model }),
    label: `${protocol.name}, key in the place for ${other.name}`,
  });
}

async function judgeState(parts: CheckParts, { name, code, requirement }: KeyState): Promise<void> {
  const { accounts, newScene, http, cases, judge } = parts;
  const key = accounts.key(name);
  for (const { protocol, models } of compatOf(parts)) {
    const protocolModel = { protocol, model: models[0] };
    const { model } = protocolModel;
    const body = protocol.body(newScene(), { model });
    const twin = await protocol.send(http, model, body, { label: `${protocol.name}, positive twin` });
    readSaid(judge, protocol, twin, { requirement, aspect: 'twin-served', model });
    for (const stream of await formsOn(parts, protocolModel)) {
      cases.count();
      const exchange = await protocol.send(http, model, body, { label: `the ${name} key`, key, stream });
      judge.refused(exchange, { requirement, aspect: 'refused-on-compat', codes: [code], twin });
    }
    const faulty = { ...body, [protocol.name === 'compat-b' ? 'contents' : 'messages']: 'none' };
    const exchange = await protocol.send(http, model, faulty, {
      label: `the ${name} key, a faulty body`,
      key,
    });
    judge.refused(exchange, { requirement, aspect: 'before-the-body', codes: [code], twin });
  }
}
