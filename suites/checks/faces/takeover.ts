import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, Untestable } from '../../rules/violation.ts';
import type { Face } from '../../steps/faces/face.ts';
import { compatOf, type Facing, formsOn, streamsOn } from '../../steps/faces/facing.ts';
import { readSaid } from '../../steps/faces/said.ts';
import { routesOf, type Strain, serverFault, strainsOf } from '../../steps/failures/routed-call.ts';
import { jsonOf } from '../../wire/exchange.ts';

const good = 'The other one answers.';

export const takeoverOnCompat = defineCheck({
  id: 'faces.retry.takeover',
  title: 'on compat paths another channel takes over a failed call with the same request',
  requirements: ['ROUTE-002', 'ROUTE-006'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async (parts) => {
    const pairs = strainsOf(parts.lanes, routesOf(parts.target, 'pair'));
    const judged: string[] = [];
    for (const { face, models } of compatOf(parts)) {
      const strain = pairs.find(({ model, channels }) => isOf(face, models[0], model, channels));
      if (strain === undefined) continue;
      const { model } = strain;
      const facing = { face, model };
      if (!(await isServed(parts, facing))) continue;
      const forms = (await streamsOn(parts, { face, model: models[0] }))
        ? await formsOn(parts, facing)
        : [false];
      for (const stream of forms) await judgeTakeover(parts, strain, face, stream);
      judged.push(face.name);
    }
    if (judged.length === 0)
      throw new Untestable('upstream.routes with a pair that is called as the models of a compat path are');
  },
});

/** A pair that speaks the face's own dialect and is called as its models are. */
function isOf(face: Face, catalogued: string, model: string, channels: Strain['channels']): boolean {
  const [family = ''] = catalogued.split('-');
  return model.startsWith(`${family}-`) && channels.every(({ dialect }) => dialect === face.dialect);
}

/** A path may serve the models of the catalogue alone (reading B-95). */
async function isServed({ http, newScene, judge }: CheckParts, { face, model }: Facing): Promise<boolean> {
  const label = `${face.name}, ${model}, healthy`;
  const exchange = await face.send(http, model, face.body(newScene(), { model }), { label });
  const { code } = (jsonOf(exchange) as { error?: { code?: unknown } } | undefined)?.error ?? {};
  if (code === 'model_not_found') judge.note(`${face.name} does not serve ${model}`);
  else readSaid(judge, face, exchange, { requirement: 'ROUTE-002', aspect: 'twin-served', model });
  return code !== 'model_not_found';
}

async function judgeTakeover(
  { cases, newScene, http, judge }: CheckParts,
  { model }: Strain,
  face: Face,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script(serverFault, { text: good });
  const label = `${face.name}, ${model}, whose first channel fails${stream ? ', stream' : ''}`;
  const exchange = await face.send(http, model, face.body(scene, { model }), { label, stream });
  const requests = await scene.requestsNow();
  const asked = requests.map(({ entry }) => entry.channel);
  must(asked.length === 2 && asked[0] !== asked[1], {
    requirement: 'ROUTE-002',
    aspect: 'takes-over-on-compat',
    expected: `the other channel of ${model} asked after the first one failed`,
    actual: asked.join(', then ') || 'no channel asked',
    exchange,
  });
  const expected = { requirement: 'ROUTE-002', aspect: 'takeover-answers', model, stream };
  const said = readSaid(judge, face, exchange, expected);
  must(said.text === good, {
    ...expected,
    expected: JSON.stringify(good),
    actual: JSON.stringify(said.text),
    exchange,
  });
  must(requests[0]?.text === requests[1]?.text, {
    requirement: 'ROUTE-002',
    aspect: 'same-request-on-compat',
    expected: `the same request at both channels: ${requests[0]?.text.slice(0, 400)}`,
    actual: requests[1]?.text.slice(0, 400) ?? 'none',
    exchange,
  });
}
