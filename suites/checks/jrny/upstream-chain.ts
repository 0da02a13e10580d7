import { defineCheck } from '../../engine/check.ts';
import type { Scene } from '../../engine/scene.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { type MediaView, mediaFault } from '../../oracle/media/upstream-view.ts';
import { must } from '../../rules/violation.ts';
import { judgeArrivals, type RuleOfArrival, viewOf } from '../../steps/fields/arrivals.ts';
import { enabledModel } from '../../steps/fields/media-inputs.ts';
import { imagineBody, type MadeStep, makeStep, stepBody } from '../../steps/media/workflow.ts';
import { pngTexts } from '../../wire/media/png.ts';

const ruleOf: RuleOfArrival = (_, { sent }): Rule => {
  return { requirement: 'JRNY-021', aspect: sent ? 'forwarded' : 'default-sent' };
};

export const values = defineCheck({
  id: 'jrny.upstream.values',
  title: 'chaos, tile, stylize, weird and aspect_ratio reach the upstream as sent or as defaults',
  requirements: ['JRNY-021'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'journey-v7')], ruleOf),
});

export const chain = defineCheck({
  id: 'jrny.upstream.chain',
  title: "index k picks the k-th image of the grid; a reroll reuses its parent's prompt and options",
  requirements: ['JRNY-013', 'JRNY-009'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const scene = parts.newScene();
    const options = { aspect_ratio: '7:5', stylize: 0, weird: 2_999, chaos: 41, tile: false };
    const body = { ...imagineBody(parts), prompt: scene.prompt(), ...options };
    const parent = await makeStep(parts, 'imagine', body);
    const grid = await scene.job();
    const child = scene.child(grid.id);
    const made = await Promise.all([
      ...[1, 2, 3, 4].map((index) => makeStep(parts, 'upscale', stepBody('upscale', parent.taskId, index))),
      makeStep(parts, 'variation', stepBody('variation', parent.taskId, 3)),
    ]);
    const before = await child.requests(made.length);
    for (const name of ['upscale', 'variation'] as const) judgeIndexes(made, name, before);
    judgeShown(parent);
    for (const step of made) judgePicked(step, grid.id);
    const known = [...before, ...(await scene.requestsNow())].map(({ entry }) => entry.n);
    const again = await makeStep(parts, 'reroll', stepBody('reroll', parent.taskId));
    judgeAgain(grid.id, { parent, again }, await newOf(known, scene, child));
  },
});

/** The upstream gets each index that the caller gave. */
function judgeIndexes(
  made: readonly MadeStep[],
  name: MadeStep['name'],
  arrived: readonly UpstreamRequest[],
): void {
  const steps = made.filter((step) => step.name === name);
  const given = steps.map(({ body }) => Number(body.index)).sort();
  const seen = arrived
    .flatMap((request) => viewOf(request, 'journey-v7') ?? [])
    .filter(({ action }) => action === name)
    .map(({ fields }) => Number(fields.index))
    .sort();
  const rule = { requirement: 'JRNY-013', aspect: 'index-as-given', exchange: steps[0]?.submitted };
  const expected = `${name} of image ${given.join(', ')} at the upstream`;
  const actual = `of image ${seen.join(', ') || '(none)'}`;
  must(JSON.stringify(seen) === JSON.stringify(given), { ...rule, expected, actual });
}

/** The grid is shown in the order in which `index` counts; images name their place in their description. */
function judgeShown({ files, last }: MadeStep): void {
  const places = files.map(({ bytes }) => / cell (\d)$/.exec(pngTexts(bytes).get('Description') ?? '')?.[1]);
  if (places.length === 1 || places.includes(undefined)) return;
  const rule = { requirement: 'JRNY-013', aspect: 'shown-in-order', exchange: last.exchange };
  const isInOrder = places.every((place, at) => place === String(at + 1));
  const expected = 'image 1, 2, 3, 4 of the grid in result_urls';
  must(isInOrder, { ...rule, expected, actual: `image ${places.join(', ')}` });
}

/** An image whose description names its source is made of the picked image. */
export function judgePicked({ name, body, files, last }: MadeStep, gridId: string): void {
  const [file] = files;
  const said = file === undefined ? undefined : pngTexts(file.bytes).get('Description');
  if (name !== 'upscale' || said === undefined) return;
  const rule = { requirement: 'JRNY-013', aspect: 'picks-the-image', exchange: last.exchange };
  const expected = `an image made of image ${body.index} of job ${gridId}`;
  must(said.startsWith(`job ${gridId} cell ${body.index} upscaled`), { ...rule, expected, actual: said });
}

/** The view of the first request at the upstream that is not known yet. */
async function newOf(known: readonly number[], ...scenes: readonly Scene[]): Promise<MediaView | null> {
  const requests = (await Promise.all(scenes.map((scene) => scene.requestsNow()))).flat();
  const fresh = requests.find(({ entry }) => !known.includes(entry.n));
  return fresh === undefined ? null : viewOf(fresh, 'journey-v7');
}

/** A reroll names its parent at the upstream or repeats the prompt and options, and contradicts neither. */
function judgeAgain(
  gridId: string,
  { parent, again }: { readonly parent: MadeStep; readonly again: MadeStep },
  view: MediaView | null,
): void {
  const own = { requirement: 'JRNY-009', exchange: again.submitted, twin: parent.submitted };
  const repeated = { ...own, aspect: 'prompt-repeated', actual: 'neither of them' };
  must(view !== null, { ...repeated, expected: "the parent's id at the upstream, or its prompt" });
  const isNamed = view.parents.includes(gridId);
  const listed = fieldsOf('journey-v7').filter(({ name }) => !isNamed || view.fields[name] !== undefined);
  const fault = mediaFault(parent.body, view, listed);
  const aspect = fault?.field === 'prompt' ? 'prompt-repeated' : 'options-repeated';
  const expected = `${fault?.field} ${fault?.expected}, that of the parent${isNamed ? '' : ', which is not named'}`;
  must(fault === null, { ...own, aspect, expected, actual: fault?.actual ?? '' });
}
