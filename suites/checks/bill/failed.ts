import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { native } from '../../generators/native-answer.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import { part } from '../../rules/violation.ts';
import { blindModels } from '../../steps/chat/judge-cell.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { charged } from '../../steps/money/priced-call.ts';
import { compatProtocols, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { keepProtocolClosed } from '../../steps/protocols/protocol-model.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { mustBeFree } from './made.ts';

const requirement = 'BILL-008';

/** Mistakes of callers, for which no upstream is called. */
const mistakes: readonly {
  readonly label: string;
  readonly body: (parts: CheckParts, model: string) => JsonObject | string;
}[] = [
  { label: 'broken JSON', body: () => '{"model":' },
  {
    label: 'an invalid field',
    body: ({ newScene }, model) => ({ ...newScene().minimal(model), temperature: 'hot' }),
  },
  {
    label: 'an unknown model',
    body: ({ newScene, rng }) => newScene().minimal(`no-such-model-${rng.hex(6)}`),
  },
  {
    label: 'a request beyond the window',
    body: ({ newScene }, model) => ({ ...newScene().minimal(model), max_tokens: maxOf(model) + 1 }),
  },
  {
    label: 'an image for a model without Vision',
    body: ({ rng, target }) => {
      const content = [{ type: 'image_url', image_url: { url: pixelDataUri } }];
      return { model: rng.pick(blindModels(target)), messages: [{ role: 'user', content }] };
    },
  },
];

const counted = { prompt_tokens: 70_003, completion_tokens: 9_007 };

interface Failure {
  readonly label: string;
  readonly reply: (model: string, stream: boolean) => Reply;
}

/** Upstream failures before the first byte, some after the upstream has counted tokens. */
const failures: readonly Failure[] = [
  { label: 'fails', reply: () => ({ status: 500, body: { error: { message: 'Broken.' }, usage: counted } }) },
  { label: 'is busy', reply: () => ({ status: 503, body: { error: { message: 'Busy.' } } }) },
  { label: 'breaks its connection', reply: () => ({ usage: counted, cut: { after: 'head', by: 'rst' } }) },
  {
    label: 'gives an unusable answer',
    reply: () => ({ status: 200, body: `{"usage":${JSON.stringify(counted)}` }),
  },
  { label: 'blocks the prompt', reply: (model, stream) => native(dialectOf(model)).blocked(stream) },
];

interface FailingCall {
  readonly protocol: Protocol;
  readonly model: string;
  readonly failure: Failure;
  readonly stream: boolean;
}

export const refusedCallsAreFree = defineCheck({
  id: 'bill.failed.refused',
  title: 'a call refused for a mistake of its caller costs nothing',
  requirements: [requirement],
  kind: 'example',
  needs: ['charges'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      await part(async () => {
        for (const { label, body } of mistakes) {
          const call = (): Promise<Exchange> =>
            parts.http.chat(body(parts, model), { label: `${model}, ${label}` });
          await judgeFree(parts, call);
        }
      });
  },
});

export const failedCallsAreFree = defineCheck({
  id: 'bill.failed.upstream',
  title: 'a call whose upstream fails costs nothing, on every path, plain and streamed',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    for (const { protocol, model, failure, stream } of failuresIn(parts)) {
      const { label, reply } = failure;
      await keepProtocolClosed(parts, { protocol, model });
      const scene = parts.newScene();
      await scene.script(reply(model, stream));
      const words = `${model} on ${protocol.name}, whose upstream ${label}${stream ? ', stream' : ''}`;
      const call = (): Promise<Exchange> =>
        protocol.send(parts.http, model, protocol.body(scene, { model }), { label: words, stream });
      await judgeFree(parts, call);
    }
  },
});

/** Judges that a call fails and costs nothing. */
async function judgeFree({ cases, meter, judge }: CheckParts, send: () => Promise<Exchange>): Promise<void> {
  cases.count();
  const call = await charged(meter, send);
  const { exchange } = call;
  const status = exchange.response?.status ?? 0;
  // A stream that has begun may cost something (reading B-36), and so may a served call.
  if (status >= 200 && status < 300) {
    judge.note(`not a failure here: ${exchange.label}`);
    return;
  }
  mustBeFree(call, { requirement, aspect: 'failed-is-free' }, 'the call failed');
}

/** Each failure on the core path, plain and streamed, and some on compat paths; a full run takes all models. */
function failuresIn({ target, rng, cases }: CheckParts): FailingCall[] {
  const compat = compatProtocols.filter(({ fact }) => fact === null || !target.profile.absent.includes(fact));
  const order = rng.shuffle(target.nativeModels);
  return [coreProtocol, ...compat].flatMap((protocol) => {
    // Compat paths draw from the other end, so that failures spread over the models.
    const models = (protocol === coreProtocol ? order : order.toReversed()).filter((model) =>
      protocol.serves(model),
    );
    const forms = protocol === coreProtocol ? [false, true] : [false];
    return failures.flatMap((failure, place) => {
      if (protocol !== coreProtocol && place % 2 === 1 && !cases.full) return [];
      const some = cases.full ? models : models.slice(place % models.length).slice(0, 1);
      return some.flatMap((model) => forms.map((stream) => ({ protocol, model, failure, stream })));
    });
  });
}

function maxOf(model: string): number {
  const known = chatModel(model);
  return known === undefined ? 10_000_000 : surelyAbove(known);
}
