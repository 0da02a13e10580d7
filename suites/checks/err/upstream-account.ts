import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type NativeRejection, rejections } from '../../generators/native-rejections.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { servedAgain } from '../../steps/failures/served-again.ts';
import { compatProtocols, coreProtocol } from '../../steps/protocols/protocol.ts';
import type { ProtocolModel } from '../../steps/protocols/protocol-model.ts';
import { severalTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';

/** Good calls after each failing one, which keep the breaker closed. */
const goodCalls = 3;

export const upstreamAccountIsOurMatter = defineCheck({
  id: 'err.upstream.account',
  title: 'a rejected gateway key or spent gateway quota upstream is never blamed on the caller',
  requirements: ['ERR-010', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  // A gateway may rest a channel for minutes after such a failure.
  clock: 'jump',
  tenants: severalTenants,
  run: async (parts) => {
    const own = dialectModels(parts.target).map((model) => ({ protocol: coreProtocol, model }));
    const { absent } = parts.target.profile;
    // A path that passes native words on has its own way to read native errors.
    const native = compatProtocols
      .filter(({ fact }) => fact === null || !absent.includes(fact))
      .flatMap((protocol) =>
        own.filter(({ model }) => protocol.serves(model)).map(({ model }) => ({ protocol, model })),
      );
    const rounds = [...roundsOf(own, false), ...roundsOf(own, true), ...roundsOf(native, false)];
    await sideBySide(parts, rounds, judgeRound);
  },
});

/** One rejection of each way, those of different upstreams at once. */
interface Round {
  readonly ways: readonly ProtocolModel[];
  readonly place: number;
  readonly stream: boolean;
}

function roundsOf(ways: readonly ProtocolModel[], stream: boolean): Round[] {
  const max = Math.max(0, ...ways.map(({ model }) => rejections[dialectOf(model)].length));
  return Array.from({ length: max }, (_, place) => ({ ways, place, stream }));
}

async function judgeRound(parts: CheckParts, { ways, place, stream }: Round): Promise<void> {
  const judged = ways.map(async (way) => {
    const rejection = rejections[dialectOf(way.model)][place];
    if (rejection !== undefined) await part(() => judgeRejection(parts, way, rejection, stream));
  });
  await Promise.all(judged);
  const models = ways.map(({ model }) => model);
  await servedAgain(parts, models, { requirement: 'ERR-010', aspect: 'recovers' }, goodCalls);
}

async function judgeRejection(
  { cases, newScene, http, judge }: CheckParts,
  { protocol, model }: ProtocolModel,
  rejection: NativeRejection,
  stream: boolean,
): Promise<void> {
  cases.count();
  const { reply, meant = reply.status } = rejection;
  const scene = newScene();
  await scene.script(reply);
  const label = `${protocol.name}, ${model}, upstream ${JSON.stringify(reply.body)}`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream });
  const aspect = protocol === coreProtocol ? 'not-the-callers' : 'not-the-callers-natively';
  judge.refused(exchange, { requirement: 'ERR-010', aspect, codes: codesFor(meant) });
}
