import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { flag, must, part } from '../../rules/violation.ts';
import { coolDownsOf, outageCodes, quickMs } from '../../steps/failures/outage-state.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, streamsOn } from '../../steps/protocols/protocol-model.ts';
import type { Exchange } from '../../wire/exchange.ts';

const requirement = 'ROUTE-009';

interface FailedCall {
  readonly exchange: Exchange;
  readonly attempts: number;
}

export const breakerIsOfAllProtocols = defineCheck({
  id: 'faces.outage.shared',
  title: 'failures on any path open the breaker for all: 503 channel_outage, no upstream call',
  requirements: [requirement, 'ERR-030'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.breaker', 'chat'],
  run: async (parts) => {
    for (const { protocol, models } of compatOf(parts)) {
      const ways = [
        [protocol, coreProtocol],
        [coreProtocol, protocol],
      ] as const;
      for (const [place, [failing, other]] of ways.entries()) {
        const model = models[place];
        if (model === undefined) {
          parts.judge.note(
            `one model of ${protocol.name} alone: only failures on ${protocol.name} were tried`,
          );
          continue;
        }
        await part(() => judgeBoth(parts, [failing, other], model));
      }
    }
  },
});

/** Opens a breaker by failures on one path, then judges both paths, plain and streamed. */
async function judgeBoth(
  parts: CheckParts,
  [failing, other]: readonly [Protocol, Protocol],
  model: string,
): Promise<void> {
  const both = [failing, other];
  // Probed before the breaker opens, because an outage gives no answer.
  const streaming: Protocol[] = [];
  for (const protocol of both) if (await streamsOn(parts, { protocol, model })) streaming.push(protocol);
  const until = await openOn(parts, failing, model);
  await part(() => judgeOut(parts, failing, model, { until, aspect: 'still-given-up' }));
  await part(() => judgeOut(parts, other, model, { until, aspect: 'every-path' }));
  for (const protocol of streaming)
    await part(() => judgeOut(parts, protocol, model, { until, aspect: 'every-path', stream: true }));
}

/** Fails every call of a model until its breaker opens. Returns until when it stays open, in ms of the deployment's clock. */
async function openOn(parts: CheckParts, protocol: Protocol, model: string): Promise<number> {
  const { target, clock, http } = parts;
  const max = (target.profile.upstream?.breaker?.consecutive_failures ?? 0) + 3;
  for (let call = 0; call < max; call += 1) {
    const began = clock.now();
    const { attempts } = await failingCall(parts, protocol, model, false);
    if (attempts === 0) return began + coolDownsOf(target)[0];
  }
  must(false, {
    requirement,
    aspect: 'opens-on-every-path',
    expected: `no more upstream calls after ${max} calls of ${model} on ${protocol.name} that all failed upstream`,
    actual: 'the upstream is still called',
    exchange: http.sent.at(-1),
  });
}

async function judgeOut(
  parts: CheckParts,
  protocol: Protocol,
  model: string,
  { until, aspect, stream = false }: { until: number; aspect: string; stream?: boolean },
): Promise<void> {
  const { clock, judge, cases, target } = parts;
  const { exchange, attempts } = await failingCall(parts, protocol, model, stream);
  if (clock.now() >= until) {
    judge.note('a cool-down ended before everything could be judged');
    return;
  }
  cases.count();
  const expected = `no upstream call for ${model} on ${protocol.name} while its breaker is open`;
  flag(attempts === 0, { requirement, aspect, expected, actual: `${attempts}`, exchange });
  judge.refused(exchange, { requirement, aspect, codes: outageCodes(target), param: null });
  const tookMs = exchange.response?.endMs ?? Number.POSITIVE_INFINITY;
  flag(tookMs < quickMs, {
    requirement,
    aspect: 'quick-on-every-path',
    expected: `an answer within ${quickMs} ms`,
    actual: `${Math.round(tookMs)} ms`,
    exchange,
  });
}

async function failingCall(
  { newScene, http }: CheckParts,
  protocol: Protocol,
  model: string,
  stream: boolean,
): Promise<FailedCall> {
  const scene = newScene();
  await scene.script(serverFault);
  const label = `${protocol.name}, ${model}, failing upstream`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream });
  return { exchange, attempts: (await scene.requestsNow()).length };
}
