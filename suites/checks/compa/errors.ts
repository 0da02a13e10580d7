import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { objectOf } from '../../oracle/native/json.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { type Exchange, isSuccess, jsonOf } from '../../wire/exchange.ts';
import { answered, betaModel, refused } from './message-calls.ts';

interface Provocation {
  readonly code: ErrorCode;
  readonly members: JsonObject;
  /** What `param` names; null when no field is invalid. */
  readonly param: string | null;
  readonly options?: { readonly key: null };
}

/** The plainest cause of each code on the client's side. */
const provocations: readonly Provocation[] = [
  { code: 'invalid_api_key', members: {}, param: null, options: { key: null } },
  { code: 'model_not_found', members: { model: 'no-such-model-7' }, param: 'model' },
  { code: 'invalid_param', members: { messages: [] }, param: 'messages' },
  { code: 'invalid_param', members: { max_tokens: 'many' }, param: 'max_tokens' },
  { code: 'context_too_long', members: { max_tokens: 2_000_000_000 }, param: 'max_tokens' },
];

/** The rule of a window that does not hold, of which the form of errors says nothing. */
const windowRule = { requirement: 'COMPA-014', aspect: 'above-refused' } as const;

export const errorsAreNormalised = defineCheck({
  id: 'compa.errors.normalised',
  title: 'each error a caller can provoke on compat path A has normalised members, always the same',
  requirements: ['COMPA-011', 'COMPA-014'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const { newScene, http, cases, target, judge } = parts;
    const minimal = newScene().minimalA(betaModel(target));
    const twin = await http.compatA(minimal, { label: 'positive twin' });
    answered(cases, twin, minimal, { requirement: 'COMPA-011', aspect: 'twin-served' });
    for (const { code, members, param, options = {} } of provocations) {
      const seen = new Set<string>();
      for (const stream of [false, false, true]) {
        cases.count();
        const scene = newScene();
        const body = { ...scene.minimalA(betaModel(target)), ...members, ...(stream ? { stream } : {}) };
        const exchange = await http.compatA(body, {
          ...options,
          label: `${code}${stream ? ', stream' : ''}`,
        });
        const isServed = code === 'context_too_long' && isSuccess(exchange);
        const own = isServed ? windowRule : ({ requirement: 'COMPA-011', aspect: 'normalised' } as const);
        const rule = { ...own, twin };
        // A key is not a body field, and an error about the window may have no param.
        const named = code === 'invalid_param' || code === 'model_not_found';
        const error = refused(judge, exchange, {
          ...rule,
          codes: [code],
          ...(named ? { param, paramRule: 'COMPA-011' } : {}),
        });
        judgeNativeMembers(exchange);
        // A refusal of a streamed call may be about streaming itself (reading B-91).
        if (error.param !== 'stream') seen.add(JSON.stringify([error.type, error.code, error.param]));
      }
      const expected = `the same members each time for ${code}`;
      const actual = [...seen].join(' and ');
      must(seen.size === 1, { requirement: 'COMPA-011', aspect: 'same-again', expected, actual });
    }
    await judgeBrokenBodies(parts, twin);
  },
});

export const refusedBeforeUpstream = defineCheck({
  id: 'compa.errors.before-upstream',
  title: 'what compat path A refuses for its body reaches no upstream',
  requirements: ['COMPA-011', 'COMPA-014'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async ({ cases, newScene, http, target, judge }) => {
    for (const { code, members, options = {} } of provocations) {
      cases.count();
      const scene = newScene();
      const { messages: _, ...broken } = scene.minimalA(betaModel(target));
      const body = { ...('messages' in members ? broken : scene.minimalA(betaModel(target))), ...members };
      const exchange = await http.compatA(body, { ...options, label: code });
      refused(judge, exchange, { requirement: 'COMPA-011', aspect: 'normalised', codes: [code] });
      await judgeNotForwarded(scene, code === 'context_too_long' ? 'COMPA-014' : 'COMPA-011', exchange);
    }
  },
});

async function judgeBrokenBodies({ cases, http, keys, judge }: CheckParts, twin: Exchange): Promise<void> {
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '{"model":"beta-mid-4-5",}',
    Buffer.from([0x7b, 0xff, 0x7d]),
  ]) {
    cases.count();
    const exchange = await http.compatA(body, { label: `body ${JSON.stringify(String(body))}` });
    const rule = { requirement: 'COMPA-011', aspect: 'broken-body', twin };
    refused(judge, exchange, { ...rule, codes: ['invalid_param'] });
    judgeNativeMembers(exchange);
  }
  cases.count();
  const exchange = await http.send({
    method: 'GET',
    path: '/compat-a/v1/messages',
    headers: { 'x-api-key': keys.K1, 'compat-a-version': '2023-06-01' },
    label: 'GET',
  });
  const rule = { requirement: 'COMPA-011', aspect: 'other-method', twin };
  judgeOpenRefusal(exchange, { ...rule, statuses: [404, 405, 400] });
}

/** Other native members are allowed, but `type` must be right: a native client detects errors by it. */
function judgeNativeMembers(exchange: Exchange): void {
  const { type } = objectOf(jsonOf(exchange));
  must(type === undefined || type === 'error', {
    requirement: 'COMPA-011',
    aspect: 'native-type',
    expected: 'a top-level type, if any, of error',
    actual: JSON.stringify(type),
    exchange,
  });
}
