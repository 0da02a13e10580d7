import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import type { LaterStep } from '../../oracle/media/fields.ts';
import type { MediaView } from '../../oracle/media/upstream-view.ts';
import { must } from '../../rules/violation.ts';
import { viewOf } from '../../steps/fields/arrivals.ts';
import { imagineBody, type MadeStep, makeStep, stepBody } from '../../steps/media/workflow.ts';
import { pngTexts } from '../../wire/media/png.ts';
import { judgePicked } from './upstream-chain.ts';

/** A step with its job at the upstream. */
interface Link {
  readonly step: MadeStep;
  readonly nativeId: string;
}

export const deepSteps: Check = defineCheck({
  id: 'jrny.chain.exact-parent',
  title: 'at any depth the upstream gets the parent that was named, and each grid has its own four cells',
  requirements: ['JRNY-022', 'JRNY-003', 'JRNY-007', 'JRNY-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const steps = new Steps(parts);
    const [grid] = await Promise.all([steps.imagine(), steps.imagine()]);
    const varied = await steps.next('variation', grid, 2);
    judgeCells(varied);
    await steps.next('upscale', varied, 3);
    judgeCells(await steps.next('variation', varied, 1));
    await steps.next('reroll', varied);
    const again = await steps.next('reroll', grid);
    await steps.next('reroll', again);
    // Every grid has four images to choose from, whichever step made it.
    for (const made of [grid, again]) {
      await steps.next('upscale', made, 2 + parts.rng.int(3));
      await steps.next('variation', made, 2 + parts.rng.int(3));
    }
  },
});

/** Steps one after the other, so that each new upstream request belongs to the last one. */
class Steps {
  readonly #parts: CheckParts;
  readonly #scenes: Scene[] = [];

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  async imagine(): Promise<Link> {
    const scene = this.#parts.newScene();
    this.#scenes.push(scene);
    const step = await makeStep(this.#parts, 'imagine', {
      ...imagineBody(this.#parts),
      prompt: scene.prompt(),
    });
    const link = { step, nativeId: (await scene.job()).id };
    this.#scenes.push(scene.child(link.nativeId));
    judgeCells(link);
    return link;
  }

  /** Makes a step of a grid and judges which parent reached the upstream. */
  async next(name: LaterStep, parent: Link, index?: number): Promise<Link> {
    const known = new Set((await this.#arrived()).map(({ request }) => request.entry.n));
    const step = await makeStep(this.#parts, name, stepBody(name, parent.step.taskId, index));
    const fresh = (await this.#arrived()).find(({ request }) => !known.has(request.entry.n));
    judgeParent(step, parent, fresh === undefined ? null : viewOf(fresh.request, 'journey-v7'));
    if (name === 'upscale') judgePicked(step, parent.nativeId);
    const jobs = (await fresh?.scene.jobs()) ?? [];
    const nativeId = jobs.find((job) => job.request_n === fresh?.request.entry.n)?.id ?? '';
    if (fresh !== undefined) this.#scenes.push(fresh.scene.child(nativeId));
    return { step, nativeId };
  }

  async #arrived(): Promise<readonly { readonly scene: Scene; readonly request: UpstreamRequest }[]> {
    const each = this.#scenes.map(async (scene) =>
      (await scene.requestsNow()).map((request) => ({ scene, request })),
    );
    return (await Promise.all(each)).flat();
  }
}

/**
 * Judges that a step reached the upstream with its parent's job. A reroll may instead repeat the first step, or the step that
 * made its parent.
 */
function judgeParent({ name, submitted }: MadeStep, parent: Link, view: MediaView | null): void {
  if (name === 'reroll' && view?.action !== 'reroll') return;
  const parents = view?.parents ?? [];
  must(parents.length === 1 && parents[0] === parent.nativeId, {
    requirement: 'JRNY-022',
    aspect: 'exact-parent',
    expected: `${name} of ${parent.nativeId}, the job of the task that was named`,
    actual: parents.join(', ') || 'no parent',
    exchange: submitted,
    twin: parent.step.submitted,
  });
}

/** Judges that the images of a grid differ, and that images with a description belong to the grid's own job. */
function judgeCells({ step: { name, files, last }, nativeId }: Link): void {
  const said = files.map(({ bytes }) => pngTexts(bytes).get('Description'));
  const rule = {
    requirement: name === 'imagine' ? 'JRNY-003' : 'JRNY-007',
    aspect: 'own-cells',
    exchange: last.exchange,
  };
  const strange = said.find((text) => text !== undefined && !text.startsWith(`job ${nativeId} cell `));
  must(strange === undefined, {
    ...rule,
    expected: `images of job ${nativeId}`,
    actual: strange ?? '',
  });
  const different = new Set(files.map(({ bytes }) => bytes.toString('base64')));
  must(different.size === files.length, {
    ...rule,
    expected: `${files.length} different images`,
    actual: `${different.size}: ${said.join('; ')}`,
  });
}
