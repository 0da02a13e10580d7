import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { type NativeRejection, rejections } from '../../generators/native-rejections.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { restAll, servedAgain } from '../../steps/failures/served-again.ts';
import { compatProtocols, coreProtocol } from '../../steps/protocols/protocol.ts';
import type { ProtocolModel } from '../../steps/protocols/protocol-model.ts';
import { severalTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import { imagesWay } from '../../steps/ways/way-in.ts';
import { waysServeAgain } from '../../steps/ways/ways-of.ts';
import { type CodeRule, judgeFailingTask } from './failing-task.ts';

/** Successful calls after each failure, which keep the circuit breaker closed. */
const goodCalls = 3;

export const upstreamAccountIsOurMatter = defineCheck({
  id: 'err.upstream.account',
  title: 'a rejected gateway key or spent gateway quota upstream is never blamed on the caller',
  requirements: ['ERR-010', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  // A gateway may cool a channel down for minutes after such a failure.
  clock: 'jump',
  tenants: severalTenants,
  run: async (parts) => {
    const own = dialectModels(parts.target).map((model) => ({ protocol: coreProtocol, model }));
    const { absent } = parts.target.profile;
    // A path that passes native bodies through parses native errors separately.
    const native = compatProtocols
      .filter(({ fact }) => fact === null || !absent.includes(fact))
      .flatMap((protocol) =>
        own.filter(({ model }) => protocol.serves(model)).map(({ model }) => ({ protocol, model })),
      );
    const rounds = [...roundsOf(own, false), ...roundsOf(own, true), ...roundsOf(native, false)];
    await sideBySide(parts, rounds, judgeRound);
  },
});

/** One rejection for each endpoint. Different upstreams run at once. */
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

/** Upstreams of images and of jobs word their errors as chat-completions upstreams do. */
const rejected: readonly NativeRejection[] = rejections['chat-completions'];

export const mediaAccountIsOurMatter = defineCheck({
  id: 'err.upstream.media-account',
  title: 'a rejected gateway key or spent quota at the upstream of images or jobs is never the caller’s',
  requirements: ['ERR-010', 'ERR-027', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  // A gateway may cool a channel down for minutes after such a failure.
  clock: 'jump',
  run: async (parts) => {
    const { target, rng, tasks, newScene } = parts;
    const videos = rng.shuffle(target.mediaModels.filter((id) => mediaModel(id)?.medium === 'video'));
    const pictures = rng.shuffle(target.mediaModelsOf('images'));
    // Each rejection gets its own model, so that no cool-down of another channel interferes.
    await Promise.all([
      judgeBlockedTask(parts, videos.at(-1)),
      ...pairs(pictures).map(([model, rejection]) => judgePicture(parts, model, rejection)),
      ...pairs(videos).map(([model, rejection]) => judgeTask(parts, model, rejection)),
    ]);
    await restAll(parts);
    const ways = pairs(pictures).map(([model]) => imagesWay(model));
    await waysServeAgain(parts, ways, { requirement: 'ERR-010', aspect: 'recovers' });
    await Promise.all(
      pairs(videos).map(([model]) => tasks.make(newScene().minimalMedia(model), { label: `again ${model}` })),
    );
  },
});

function pairs(models: readonly string[]): (readonly [string, NativeRejection])[] {
  return rejected.flatMap((rejection, place) => {
    const model = models[place];
    return model === undefined ? [] : [[model, rejection] as const];
  });
}

async function judgePicture(
  { cases, newScene, images, judge }: CheckParts,
  model: string,
  { reply, meant = reply.status }: NativeRejection,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script(reply);
  const label = `${model}, upstream ${JSON.stringify(reply.body)}`;
  const exchange = await images.generate(scene.minimalMedia(model), { label });
  judge.refused(exchange, {
    requirement: 'ERR-010',
    aspect: 'media-not-the-callers',
    codes: codesFor(meant),
  });
}

async function judgeTask(
  parts: CheckParts,
  model: string,
  { reply, meant = reply.status }: NativeRejection,
): Promise<void> {
  const scene = parts.newScene();
  await scene.script(reply);
  const label = `${model}, upstream ${JSON.stringify(reply.body)}`;
  const rule = { requirement: 'ERR-010', aspect: 'media-not-the-callers', codes: codesFor(meant) };
  await judgeFailingTask(parts, scene, model, { label, rule });
}

async function judgeBlockedTask(parts: CheckParts, model: string | undefined): Promise<void> {
  if (model === undefined) return;
  const scene = parts.newScene();
  await scene.script(blockedSubmit);
  const rule: CodeRule = { requirement: 'ERR-027', aspect: 'blocked-task', codes: ['content_filter'] };
  await judgeFailingTask(parts, scene, model, { label: `${model}, blocked`, rule });
}
