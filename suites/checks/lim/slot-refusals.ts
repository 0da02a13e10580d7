import type { Reply } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { native } from '../../generators/native-answer.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import type { KnownRefusal } from '../../oracle/known-refusal.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { needServed } from '../../oracle/need-served.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { blindModels } from '../../steps/chat/judge-cell.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { servedAgain } from '../../steps/failures/served-again.ts';
import { severalTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import { errorCodeOf } from '../../wire/exchange.ts';

/** A cause of a refusal. Each leaves the gateway at another place, where the slot can be forgotten. */
interface Cause {
  readonly label: string;
  readonly code: KnownRefusal['code'];
  readonly body: (parts: CheckParts) => JsonObject | string;
}

const causes: readonly Cause[] = [
  { label: 'broken JSON', code: 'invalid_param', body: () => '{"model":' },
  { label: 'no JSON object', code: 'invalid_param', body: () => '[]' },
  {
    label: 'no messages',
    code: 'invalid_param',
    body: ({ target }) => ({ model: target.anyModel() }),
  },
  {
    label: 'an unknown model',
    code: 'model_not_found',
    body: ({ newScene, rng }) => newScene().minimal(`no-such-model-${rng.hex(6)}`),
  },
  {
    label: 'beyond the window',
    code: 'context_too_long',
    body: ({ target, newScene }) => {
      const model = target.models.flatMap((id) => chatModel(id) ?? [])[0];
      return { ...newScene().minimal(model?.id ?? ''), max_tokens: model ? surelyAbove(model) : 0 };
    },
  },
  {
    label: 'an image for a model without Vision',
    code: 'unsupported_capability',
    body: ({ rng, target }) => {
      const content = [{ type: 'image_url', image_url: { url: pixelDataUri } }];
      return { model: rng.pick(blindModels(target)), messages: [{ role: 'user', content }] };
    },
  },
];

/** An upstream failure, and the codes that it may cause. */
interface Failure {
  readonly label: string;
  /** The rule that an answer without this failure breaks. */
  readonly row: string;
  readonly codes: readonly ErrorCode[];
  readonly reply: (model: string, stream: boolean) => Reply;
}

const failures: readonly Failure[] = [
  {
    label: 'a blocked prompt',
    row: 'ERR-027',
    codes: ['content_filter'],
    reply: (model, stream) => native(dialectOf(model)).blocked(stream),
  },
  ...[401, 404, 429, 503].map((status) => ({
    label: String(status),
    row: 'ERR-029',
    codes: codesFor(status),
    reply: () => ({ status, body: 'no' }),
  })),
  {
    label: '200',
    row: 'ERR-029',
    codes: codesFor(200),
    reply: () => ({ status: 200, body: 'no completion' }),
  },
];

const isByCap = (code: string): boolean => code === 'concurrency_exceeded';

const rule = { requirement: 'LIM-004', aspect: 'freed-after-every-refusal' };

/** Successful calls after each refused one, which keep the breaker closed. */
const goodCalls = 2;

export const everyRefusalFrees = defineCheck({
  id: 'lim.slot.every-refusal',
  title: 'the slot is free again after any kind of refusal, repeated as often as the cap counts',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: [],
  run: async (parts) => {
    const { target, http, judge } = parts;
    const blind = target.models.some((id) => chatModel(id)?.vision === false);
    const possible = causes.filter(({ code }) => blind || code !== 'unsupported_capability');
    for (const { label, code, body } of target.few(possible)) {
      await refuseAgain(parts, async () => {
        const refusal = await http.openChat(body(parts), { label }).done;
        judge.known(refusal, { code, own: rule, blames: isByCap });
      });
    }
  },
});

export const everyUpstreamFailureFrees = defineCheck({
  id: 'lim.slot.every-upstream-failure',
  title: 'the slot is free again after any kind of upstream failure, plain and streamed',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  // A gateway may cool the channel down for minutes after some of these failures.
  clock: 'jump',
  tenants: severalTenants,
  run: async (parts) => {
    await sideBySide(parts, failures, judgeFailure);
  },
});

export const slotRefusalChecks: readonly Check[] = [everyRefusalFrees, everyUpstreamFailureFrees];

async function judgeFailure(parts: CheckParts, { label, row, codes, reply }: Failure): Promise<void> {
  const { newScene, target, http, judge } = parts;
  let stream = false;
  await refuseAgain(parts, async () => {
    stream = !stream;
    const scene = newScene();
    const model = target.anyModel();
    await keepClosed(parts, model);
    await scene.script(reply(model, stream));
    const body = { ...scene.minimal(model), stream };
    const refusal = await http.openChat(body, { label: `the upstream answers ${label}` }).done;
    const isOwn = isByCap(String(errorCodeOf(refusal)));
    judge.refused(refusal, { ...(isOwn ? rule : { requirement: row, aspect: 'provoked' }), codes });
    await servedAgain(parts, [model], rule);
  });
}

/** Makes one refused call more than the cap. The successful calls in between need a free slot. */
async function refuseAgain(
  { target, cases, http, newScene, judge }: CheckParts,
  refuse: () => Promise<void>,
): Promise<void> {
  for (let round = 0; round <= target.profile.cap.value; round += 1) {
    cases.count();
    await refuse();
    for (let call = 0; call < goodCalls; call += 1) {
      const model = target.anyModel();
      const exchange = await http.openChat(newScene().minimal(model), { label: 'a slot is left' }).done;
      if (!isByCap(String(errorCodeOf(exchange)))) needServed(exchange, 'twin-served');
      judge.completed(exchange, { ...rule, model });
    }
  }
}
