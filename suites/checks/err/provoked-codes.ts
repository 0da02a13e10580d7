import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { bearer, type JsonObject } from '../../engine/requests.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { chatRoute } from '../../oracle/core-routes.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { Untestable } from '../../rules/violation.ts';
import { callRoute, servedTwin } from '../../steps/routes/call-route.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { judgeSameAgain } from './same-again.ts';

/** A code of the error table, with its plainest cause on the client's side. */
interface Provocation {
  readonly code: ErrorCode;
  readonly requirement: string;
  /** The required `param`; undefined where only the code matters. */
  readonly param?: string;
  /** The chat body with the one fault; null when the deployment has no model to show it on. */
  readonly fault: (parts: CheckParts) => JsonObject | null;
  /** The credential, where it is the fault. */
  readonly headers?: (parts: CheckParts) => Readonly<Record<string, string>>;
}

/** An image of one pixel, so that only the model can be at fault. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const provocations: readonly Provocation[] = [
  {
    code: 'invalid_api_key',
    requirement: 'ERR-014',
    fault: minimal,
    headers: () => ({}),
  },
  {
    code: 'model_not_found',
    requirement: 'ERR-023',
    fault: (parts) => ({ ...minimal(parts), model: `no-such-model-${parts.rng.hex(6)}` }),
  },
  {
    code: 'invalid_param',
    requirement: 'ERR-024',
    param: 'temperature',
    fault: (parts) => ({ ...minimal(parts), temperature: 2.01 }),
  },
  {
    code: 'context_too_long',
    requirement: 'ERR-025',
    fault: ({ target, newScene }) => {
      const model = chatModel(target.anyModel());
      return model ? { ...newScene().minimal(model.id), max_tokens: surelyAbove(model) } : null;
    },
  },
  {
    code: 'unsupported_capability',
    requirement: 'ERR-026',
    fault: ({ target, newScene }) => {
      const blind = target.models.find((id) => chatModel(id)?.vision === false);
      if (blind === undefined) return null;
      const content = [
        { type: 'text', text: newScene().prompt('What is on this picture?') },
        { type: 'image_url', image_url: { url: pixel } },
      ];
      return { model: blind, messages: [{ role: 'user', content }] };
    },
  },
];

/** One check for each code: its own status and type, the same each time, plain and streamed. */
export const provokedCodeChecks: readonly Check[] = provocations.map((provocation) =>
  defineCheck({
    id: `err.code.${provocation.code.replaceAll('_', '-')}`,
    title: `${provocation.code} is returned with its status and type, the same plain and streamed`,
    requirements: [
      provocation.requirement,
      'ERR-001',
      'ERR-002',
      'ERR-003',
      'ERR-004',
      'ERR-005',
      'ERR-006',
      'ERR-007',
      'ERR-008',
      'ERR-013',
      ...(provocation.param === undefined ? [] : ['CHAT-049']),
    ],
    kind: 'example',
    needs: [],
    run: (parts) => provoke(parts, provocation),
  }),
);

export const modelNotEnabledIsNotFound = defineCheck({
  id: 'err.code.model-not-enabled',
  title: 'a model not enabled for the account is answered 404 model_not_found, as if unknown',
  requirements: ['ERR-023'],
  kind: 'example',
  needs: ['keys.no_model'],
  run: async ({ target, accounts, http, newScene, judge }) => {
    const missing = target.profile.models.disabled_for_no_model ?? '';
    const key = accounts.key('no_model');
    const rule = { requirement: 'ERR-023', aspect: 'not-enabled' };
    const other = target.models.find((id) => id !== missing) ?? target.anyModel();
    const twin = await http.chat(newScene().minimal(other), { key, label: `${other} with the same key` });
    judge.completed(twin, { ...rule, aspect: 'twin-served', model: other });
    const refusal = await http.chat(newScene().minimal(missing), { key, label: `${missing}, not enabled` });
    judge.refused(refusal, { ...rule, codes: ['model_not_found'], twin });
    if (!target.models.includes(missing)) return;
    const enabled = await http.chat(newScene().minimal(missing), { label: `${missing} with keys.K1` });
    judge.completed(enabled, { ...rule, aspect: 'twin-served', model: missing });
  },
});

async function provoke(
  parts: CheckParts,
  { code, requirement, param, fault, headers }: Provocation,
): Promise<void> {
  const { keys, judge, cases } = parts;
  const body = fault(parts);
  if (body === null) throw new Untestable('a chat model with a known window or without vision');
  const rule = { requirement, aspect: 'provoked' };
  const twin = await servedTwin(parts, chatRoute, keys.K1, { ...rule, aspect: 'twin-served' });
  const expected = { ...rule, codes: [code], ...(param === undefined ? {} : { param }), twin };
  const ask = (stream: boolean): Promise<Exchange> =>
    callRoute(parts, chatRoute, {
      label: code + (stream ? ', stream' : ''),
      headers: headers?.(parts) ?? bearer(keys.K1),
      body: stream ? { ...body, stream } : body,
    });
  const first = judge.refused(await ask(false), expected);
  for (const stream of [false, false, true]) {
    cases.count();
    const exchange = await ask(stream);
    judgeSameAgain(exchange, judge.refused(exchange, expected), first);
  }
}

function minimal({ newScene, target }: CheckParts): JsonObject {
  return newScene().minimal(target.anyModel());
}
