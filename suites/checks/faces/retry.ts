import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { must } from '../../rules/violation.ts';
import { ended, passTimeout } from '../../steps/failures/pass-timeouts.ts';
import { keepProtocolClosed } from '../../steps/protocols/keep-protocol-closed.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, formsOn, type ProtocolModel } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import type { Exchange } from '../../wire/exchange.ts';

const requirement = 'ROUTE-006';

const timeoutIsRetriedOnce = defineCheck({
  id: 'faces.retry.two-attempts',
  title: 'on compat paths a silent upstream is tried twice, then the answer is 504 upstream_timeout',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (parts) => {
    const { cases, newScene, judge } = parts;
    for (const [protocolModel, stream] of await casesOf(parts)) {
      cases.count();
      await keepProtocolClosed(parts, protocolModel);
      const scene = newScene();
      await scene.script({ hang: 'head' });
      const { exchange, second } = await waitedFor(parts, protocolModel, scene, stream, 2);
      const attempts = (await scene.requestsNow()).length;
      const expected = 'two requests at the upstream that never answers';
      const actual = `${attempts}`;
      must(second && attempts === 2, { requirement, aspect: 'two-attempts', expected, actual, exchange });
      judge.refused(exchange, {
        requirement,
        aspect: 'timeout-code',
        codes: ['upstream_timeout'],
        param: null,
      });
    }
  },
});

const secondAttemptAnswers = defineCheck({
  id: 'faces.retry.second-answers',
  title: 'on compat paths a second attempt that answers after a timeout is returned with its usage',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (parts) => {
    const { cases, newScene, judge } = parts;
    for (const [protocolModel, stream] of await casesOf(parts)) {
      cases.count();
      const { protocol, model } = protocolModel;
      await keepProtocolClosed(parts, protocolModel);
      const scene = newScene();
      const usage = { prompt_tokens: 321, completion_tokens: 45 };
      await scene.script({ hang: 'head' }, { text: 'Second time lucky.', usage });
      const { exchange } = await waitedFor(parts, protocolModel, scene, stream, 1);
      const said = readSaid(judge, protocol, exchange, {
        requirement,
        aspect: 'retry-answers',
        model,
        stream,
      });
      must(said.text === 'Second time lucky.' && said.usage.prompt === 321 && said.usage.completion === 45, {
        requirement,
        aspect: 'second-attempt-alone',
        expected: `the text and the usage of the second attempt: ${JSON.stringify(usage)}`,
        actual: JSON.stringify(said),
        exchange,
      });
    }
  },
});

const begunIsNeverRetried = defineCheck({
  id: 'faces.retry.not-once-begun',
  title: 'on the compat paths too a stream that breaks after it began is not restarted',
  requirements: [requirement, 'SSE-020'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http } = parts;
    for (const [protocolModel, stream] of await casesOf(parts)) {
      if (!stream) continue;
      const { protocol, model } = protocolModel;
      cases.count();
      await keepProtocolClosed(parts, protocolModel, 1);
      const scene = newScene();
      const broken = { deltas: ['One, ', 'two, ', 'three.'], cut: { after: 2, by: 'rst' } } as const;
      await scene.script({ ...broken, deltas: [...broken.deltas] }, { text: 'All over again.' });
      const label = `${protocol.name}, a stream that breaks`;
      const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream });
      const attempts = (await scene.requestsNow()).length;
      const text = exchange.response?.body.toString('utf8') ?? '';
      must(attempts === 1 && !text.includes('All over again.'), {
        requirement,
        aspect: 'once-begun',
        expected: 'one request at the upstream, and no text of another answer',
        actual: `${attempts} requests`,
        exchange,
      });
    }
  },
});

export const retryChecks: readonly Check[] = [
  timeoutIsRetriedOnce,
  secondAttemptAnswers,
  begunIsNeverRetried,
];

/**
 * A model of each compat protocol, non-streamed and streamed. Each form gets its own model, as far as there are
 * enough.
 */
async function casesOf(parts: CheckParts): Promise<(readonly [ProtocolModel, boolean])[]> {
  const cases: (readonly [ProtocolModel, boolean])[] = [];
  for (const { protocol, models } of compatOf(parts)) {
    for (const [place, stream] of (await formsOn(parts, { protocol, model: models[0] })).entries())
      cases.push([{ protocol, model: models[place % models.length] ?? models[0] }, stream]);
  }
  return cases;
}

/** Opens a call and lets the time of so many silent attempts pass. */
async function waitedFor(
  parts: CheckParts,
  { protocol, model }: { protocol: Protocol; model: string },
  scene: Scene,
  stream: boolean,
  attempts: 1 | 2,
): Promise<{ exchange: Exchange; second: boolean }> {
  const label = `${protocol.name}, upstream hangs${stream ? ', stream' : ''}`;
  const live = protocol.open(parts.http, model, protocol.body(scene, { model }), { label, stream });
  const first = await passTimeout(parts, scene, 1);
  const second = attempts === 2 && first && (await passTimeout(parts, scene, 2));
  await ended(parts.clock, live);
  return { exchange: await live.done, second };
}
