import { defineCheck } from '../../engine/check.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import { asStream } from '../../generators/native/answer.ts';
import { messagesWriter } from '../../generators/native/messages.ts';
import { judgeBrokenMessage } from '../../oracle/compat/messages-stream.ts';
import { must } from '../../rules/violation.ts';
import { judgeHidden } from '../../steps/failures/judge-hidden.ts';
import { servedAgain } from '../../steps/failures/served-again.ts';
import { compatA } from '../../steps/protocols/protocol.ts';
import { textStaysInside } from '../../steps/protocols/text-stays-inside.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { answered, betaModels, refused, streamsHere, underErrorRule } from './message-calls.ts';

/** Successful calls after each failure, which keep the circuit breaker closed. */
const goodCalls = 3;

/** Streams that fail after their first words. */
const broken: readonly (readonly [
  label: string,
  reply: (canary: string) => Parameters<Scene['script']>[0],
])[] = [
  ['an error event', (canary) => asStream(begun(), messagesWriter.errorEvent(canary))],
  [
    'an error event of our own shape',
    (canary) =>
      asStream(
        begun(),
        `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'auth_error', code: 'sk_disabled', message: canary } })}\n\n`,
      ),
  ],
  [
    'an event that is not JSON',
    (canary) => asStream(begun(), `event: content_block_delta\ndata: {"x":"${canary}\n\n`),
  ],
  ['an end without a reason', () => asStream(begun())],
  [
    'an error event after a call has begun',
    (canary) =>
      asStream(
        begun(),
        messagesWriter.cutCall({ id: 'toolu_1', name: 'look_up', arguments: '{"word":"sea"}' }),
        messagesWriter.errorEvent(canary),
      ),
  ],
];

export const upstreamTextStaysInside = textStaysInside({
  id: 'compa.upstream.text',
  title: 'compat path A passes on no failure text of the upstream, only documented error codes',
  requirements: ['COMPA-020', 'COMPA-011'],
  needs: ['compat.a', 'upstream.control'],
  protocol: compatA,
  models: ({ target }) => betaModels(target),
  requirement: 'COMPA-020',
  judgeRefused: (judge, exchange, codes) => {
    refused(judge, exchange, { requirement: 'COMPA-011', aspect: 'failure-normalised', codes });
  },
});

export const brokenStreamIsVisible = defineCheck({
  id: 'compa.upstream.broken-stream',
  title: 'a failure inside a native stream ends in a normalised error event, not in a normal end',
  requirements: ['COMPA-011', 'COMPA-020'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  clock: 'jump',
  run: async (parts) => {
    const { cases, newScene, rng, http, channels, judge, target } = parts;
    if (!(await streamsHere(parts))) return;
    const models = betaModels(target);
    for (const [at, [label, reply]] of broken.entries()) {
      cases.count();
      const model = models[at % models.length] ?? '';
      const scene = newScene();
      const canary = `canary${rng.hex(12)}`;
      await scene.script(reply(canary));
      const body = { ...scene.minimalA(model), stream: true };
      const exchange = await http.compatA(body, { label: `${model}: ${label}` });
      judgeSilence(target, exchange, canary);
      const { error } = underErrorRule(() => judgeBrokenMessage(exchange, Object.values(channels)));
      must(error === null || error.type === 'api_error', {
        requirement: 'COMPA-011',
        aspect: 'stream-error-type',
        expected: 'an error of type api_error: the caller did nothing wrong',
        actual: `${error?.type} ${error?.code}`,
        exchange,
      });
      if (error === null) judge.note('a failing native stream breaks off without an error event');
      await servedAgain(parts, [model], { requirement: 'COMPA-011', aspect: 'recovers' }, goodCalls);
    }
  },
});

export const policyIsReported = defineCheck({
  id: 'compa.upstream.policy',
  title: "a prompt blocked by the upstream's policy is reported as content_filter or refusal",
  requirements: ['COMPA-011'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    const { newScene, http, cases, target, judge } = parts;
    const ways = (await streamsHere(parts)) ? [false, true] : [false];
    for (const model of betaModels(target)) {
      for (const stream of ways) {
        const scene = newScene();
        await scene.script(messagesWriter.blocked(stream));
        const body = { ...scene.minimalA(model), ...(stream ? { stream } : {}) };
        const exchange = await http.compatA(body, {
          label: `blocked on ${model}${stream ? ', streamed' : ''}`,
        });
        if (!isSuccess(exchange)) {
          cases.count();
          const rule = { requirement: 'COMPA-011', aspect: 'policy-told' };
          refused(judge, exchange, { ...rule, codes: ['content_filter'] });
          continue;
        }
        const { stopReason } = answered(cases, exchange, body, {
          requirement: 'COMPA-011',
          aspect: 'policy-told',
        });
        must(stopReason === 'refusal', {
          requirement: 'COMPA-011',
          aspect: 'policy-told',
          expected: 'content_filter, or stop_reason refusal',
          actual: `stop_reason ${stopReason}`,
          exchange,
        });
      }
    }
  },
});

function judgeSilence({ profile }: Target, exchange: Exchange, canary: string): void {
  const secrets = [canary, ...(profile.upstream?.keys ?? [])];
  judgeHidden(exchange, secrets, 'COMPA-020', `the upstream (${exchange.label})`);
}

function begun(): string[] {
  const { opening, fragments } = messagesWriter.stream(['The sea ', 'is wide.']);
  return [...opening, ...fragments];
}
