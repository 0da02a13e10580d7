import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { must } from '../../rules/violation.ts';
import { coreFace, type Face } from '../../steps/faces/face.ts';
import { compatOf, type Facing, facingsOf, formsOn } from '../../steps/faces/facing.ts';
import { readSaid } from '../../steps/faces/said.ts';
import { type Exchange, excerpt, outcomeOf } from '../../wire/exchange.ts';

export const oneKeyOpensAllPaths = defineCheck({
  id: 'faces.keys.one-for-all',
  title: 'the same key works on the core path and both compat paths, each in its own place',
  requirements: ['AUTH-007'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, http, judge } = parts;
    for (const facing of facingsOf(parts)) {
      const { face, model } = facing;
      for (const stream of await formsOn(parts, facing)) {
        cases.count();
        const body = face.body(newScene(), { model });
        const exchange = await face.send(http, model, body, { label: `K1 on ${face.name}`, stream });
        readSaid(judge, face, exchange, { requirement: 'AUTH-007', aspect: 'one-key', model, stream });
      }
    }
  },
});

/** The places of a key: that of each path, for a call of any other. */
const places: Readonly<Record<Face['name'], (key: string) => { headers: JsonObject; query: string }>> = {
  core: (key) => ({ headers: { authorization: `Bearer ${key}` }, query: '' }),
  'compat-a': (key) => ({ headers: { 'x-api-key': key }, query: '' }),
  'compat-b': (key) => ({ headers: {}, query: `?key=${encodeURIComponent(key)}` }),
};

export const otherPlacesAreClean = defineCheck({
  id: 'faces.keys.other-places',
  title: "a key in another path's place is refused, or on a compat path served (reading B-96)",
  requirements: ['AUTH-007', 'AUTH-006'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, keys, judge } = parts;
    const facings = facingsOf(parts);
    for (const { face, model } of facings) {
      for (const other of facings.filter((facing) => facing.face !== face)) {
        cases.count();
        const exchange = await atPlaceOf(parts, { face, model }, other.face, keys.K1);
        const label = `${face.name}, key in the place of ${other.face.name}`;
        const served = exchange.response?.status === 200 && face !== coreFace;
        const rule =
          face === coreFace
            ? { requirement: 'AUTH-006', aspect: 'place-of-another-path' }
            : { requirement: 'AUTH-007', aspect: 'other-place' };
        if (!served) judge.refused(exchange, { ...rule, codes: ['invalid_api_key'] });
        else judge.note(`${label}: served`);
      }
    }
  },
});

/** Calls a face with the key where another one has it, and nowhere else. */
function atPlaceOf(
  { http, newScene }: CheckParts,
  { face, model }: Facing,
  other: Face,
  key: string,
): Promise<Exchange> {
  const { headers, query } = places[other.name](key);
  const path = {
    core: '/api/v1/chat/completions',
    'compat-a': '/compat-a/v1/messages',
    'compat-b': `/compat-b/v1beta/models/${model}:generateContent`,
  }[face.name];
  return http.send({
    method: 'POST',
    path: path + query,
    headers: {
      ...(face.name === 'compat-a' ? { 'compat-a-version': '2023-06-01' } : {}),
      ...(headers as Record<string, string>),
    },
    body: face.body(newScene(), { model }),
    label: `${face.name}, key in the place of ${other.name}`,
  });
}

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

/** Keys that exist but may not be used are refused on the compat paths as on the core path. */
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

async function judgeState(parts: CheckParts, { name, code, requirement }: KeyState): Promise<void> {
  const { accounts, newScene, http, cases, judge } = parts;
  const key = accounts.key(name);
  for (const { face, models } of compatOf(parts)) {
    const facing = { face, model: models[0] };
    const { model } = facing;
    const body = face.body(newScene(), { model });
    const twin = await face.send(http, model, body, { label: `${face.name}, positive twin` });
    readSaid(judge, face, twin, { requirement, aspect: 'twin-served', model });
    for (const stream of await formsOn(parts, facing)) {
      cases.count();
      const exchange = await face.send(http, model, body, { label: `the ${name} key`, key, stream });
      judge.refused(exchange, { requirement, aspect: 'refused-on-compat', codes: [code], twin });
    }
    const faulty = { ...body, [face.name === 'compat-b' ? 'contents' : 'messages']: 'none' };
    const exchange = await face.send(http, model, faulty, {
      label: `the ${name} key, a faulty body`,
      key,
    });
    judge.refused(exchange, { requirement, aspect: 'before-the-body', codes: [code], twin });
  }
}

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
    for (const { face, model } of facingsOf(parts)) {
      for (const key of wrong.map((one) => accounts.altered(one))) {
        cases.count();
        const scene = newScene();
        const body = face.body(scene, { model });
        const exchange = await face.send(http, model, body, {
          label: `${face.name}, an unknown key`,
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
