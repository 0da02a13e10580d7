import type { Reply } from '../../../simulators/control/client.ts';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { native } from '../../generators/native-answer.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { blindModels } from '../../steps/chat/judge-cell.ts';
import { servedAgain } from '../../steps/failures/served-again.ts';
import { keepClosed } from '../../steps/failures/strain.ts';

/** A cause of a refusal: each leaves the gateway at another place, and each place has its own chance to forget the slot. */
interface Cause {
  readonly label: string;
  readonly codes: readonly ErrorCode[];
  readonly body: (kit: CheckParts) => JsonObject | string;
}

const causes: readonly Cause[] = [
  { label: 'broken JSON', codes: ['invalid_param'], body: () => '{"model":' },
  { label: 'no JSON object', codes: ['invalid_param'], body: () => '[]' },
  {
    label: 'no messages',
    codes: ['invalid_param'],
    body: (kit) => ({ model: kit.target.anyModel() }),
  },
  {
    label: 'an unknown model',
    codes: ['model_not_found'],
    body: (kit) => kit.newScene().minimal(`no-such-model-${kit.rng.hex(6)}`),
  },
  {
    label: 'beyond the window',
    codes: ['context_too_long'],
    body: (kit) => {
      const model = kit.target.models.flatMap((id) => chatModel(id) ?? [])[0];
      return { ...kit.newScene().minimal(model?.id ?? ''), max_tokens: model ? surelyAbove(model) : 0 };
    },
  },
  {
    label: 'a picture for a model without Vision',
    codes: ['unsupported_capability'],
    body: (kit) => {
      const content = [{ type: 'image_url', image_url: { url: pixelDataUri } }];
      return { model: kit.rng.pick(blindModels(kit)), messages: [{ role: 'user', content }] };
    },
  },
];

/** How the upstream of a model answers, and what may become of it. */
interface Failure {
  readonly label: string;
  readonly codes: readonly ErrorCode[];
  readonly reply: (model: string, stream: boolean) => Reply;
}

const failures: readonly Failure[] = [
  {
    label: 'a blocked prompt',
    codes: ['content_filter'],
    reply: (model, stream) => native(dialectOf(model)).blocked(stream),
  },
  ...[401, 404, 429, 503].map((status) => ({
    label: String(status),
    codes: codesFor(status),
    reply: () => ({ status, body: 'no' }),
  })),
  { label: '200', codes: codesFor(200), reply: () => ({ status: 200, body: 'no completion' }) },
];

const rule = { requirement: 'LIM-004', aspect: 'freed-after-every-refusal' };

export const everyRefusalFrees = defineCheck({
  id: 'lim.slot.every-refusal',
  title: 'whatever a request is refused for, as many times as the cap counts, the slot is free again',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: [],
  run: async (kit) => {
    const blind = kit.target.models.some((id) => chatModel(id)?.vision === false);
    for (const { label, codes, body } of causes) {
      if (codes.includes('unsupported_capability') && !blind) continue;
      await refuseAgain(kit, async () => {
        const refusal = await kit.http.openChat(body(kit), { label }).done;
        kit.judge.refused(refusal, { ...rule, codes });
      });
    }
  },
});

export const everyUpstreamFailureFrees = defineCheck({
  id: 'lim.slot.every-upstream-failure',
  title:
    'however the upstream fails, plain and streamed, as many times as the cap counts, the slot is free again',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  // Some of these failures let a gateway leave the channel alone for minutes.
  clock: 'jump',
  run: async (kit) => {
    for (const { label, codes, reply } of failures) {
      let stream = false;
      await refuseAgain(kit, async () => {
        stream = !stream;
        const scene = kit.newScene();
        const model = kit.target.anyModel();
        await keepClosed(kit, model);
        await scene.script(reply(model, stream));
        const body = { ...scene.minimal(model), stream };
        const refusal = await kit.http.openChat(body, { label: `the upstream says ${label}` }).done;
        kit.judge.refused(refusal, { ...rule, codes });
        await servedAgain(kit, [model], rule);
      });
    }
  },
});

/** Good calls after each refused one, so that a breaker that counts failures stays closed. */
const goodCalls = 2;

/** Refused calls, one more than the cap, with good ones between that get through only while a slot is left. */
async function refuseAgain(kit: CheckParts, refuse: () => Promise<void>): Promise<void> {
  for (let round = 0; round <= kit.target.profile.cap.value; round += 1) {
    kit.cases.count();
    await refuse();
    for (let call = 0; call < goodCalls; call += 1) {
      const model = kit.target.anyModel();
      const exchange = await kit.http.openChat(kit.newScene().minimal(model), { label: 'a slot is left' })
        .done;
      kit.judge.completed(exchange, { ...rule, model });
    }
  }
}

export const slotRefusalChecks: readonly Check[] = [everyRefusalFrees, everyUpstreamFailureFrees];
