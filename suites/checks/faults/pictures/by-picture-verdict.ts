import { type Check, defineCheck } from '../../../engine/check.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Target } from '../../../engine/parts/target.ts';
import type { JsonObject } from '../../../engine/requests.ts';
import type { Scene } from '../../../engine/scene.ts';
import {
  cellsOf,
  type FaultCell,
  faultCheckId,
  type PictureFaultFacts,
  type Verdict,
  verdictOf,
} from '../../../oracle/faults/fault-facts.ts';
import { rowOfRefusal } from '../../../oracle/faults/fault-rows.ts';
import { mediaModel, mediaModels } from '../../../oracle/media/models.ts';
import { asMisfit, must, Untestable } from '../../../rules/violation.ts';
import { type Exchange, excerpt, isSuccess } from '../../../wire/exchange.ts';
import { titleOf } from '../title.ts';

type PictureCell = FaultCell<'images'>;

/** The number of images to request from a model that makes several. */
const severalPictures = 3;
const modelsOfSeveral: readonly string[] = ['alpha-image-2', 'gamma-3-pro-image'];

/** The requirement that a gateway violates if it passes on the fault's images. */
const rules: Readonly<Record<string, string>> = { M12: 'IMG-013', M13: 'IMG-020' };

/** The check of a fault of image upstreams, made from its verdict. */
export function checkByPictureVerdict(facts: PictureFaultFacts): Check {
  const codes = new Set(cellsOf(facts).map((cell) => rowOfRefusal(verdictOf(facts, cell))));
  return defineCheck({
    id: faultCheckId(facts),
    title: titleOf(facts),
    requirements: [ruleOf(facts), ...codes, 'ERR-009', 'BILL-008'],
    kind: 'upstream',
    needs: ['upstream.control'],
    run: (parts) => judgePictureFault(parts, facts),
  });
}

function ruleOf({ id }: PictureFaultFacts): string {
  return rules[id] ?? 'IMG-013';
}

async function judgePictureFault(parts: CheckParts, facts: PictureFaultFacts): Promise<void> {
  const { rng, target } = parts;
  const models = rng.shuffle(pictureModels(target));
  const cells = rng.shuffle(cellsOf(facts));
  if (models.length === 0) throw new Untestable('a model that makes images');
  const placed = cells.map((cell, place) => ({ cell, model: modelFor(facts, cell, models, place) }));
  await Promise.all(placed.map(({ cell, model }) => judgeCell(parts, facts, cell, model)));
  const touched = new Set(placed.map(({ model }) => model));
  await Promise.all([...touched].map((model) => judgeServedAgain(parts, facts, model)));
}

function pictureModels(target: Target): string[] {
  const ids = mediaModels.filter(({ endpoint }) => endpoint === 'images').map(({ id }) => id);
  return ids.filter((id) => target.mediaModels.includes(id));
}

/**
 * Selects a model that can show the fault: one with a maximum size for too large images, one with several images for missing
 * ones.
 */
function modelFor(
  { id }: PictureFaultFacts,
  { form }: PictureCell,
  models: readonly string[],
  place: number,
): string {
  const fitting = models.filter((model) => {
    if (form === 'too-large') return mediaModel(model)?.maxPixels !== null;
    return id !== 'M12' || form?.startsWith('fewer') !== true || modelsOfSeveral.includes(model);
  });
  const model = fitting[place % Math.max(1, fitting.length)] ?? models[0];
  if (model === undefined) throw new Untestable('a model that makes images');
  return model;
}

function bodyFor(model: string, form: 'url' | 'b64_json', scene: Scene): JsonObject {
  return {
    ...scene.minimalMedia(model),
    ...(modelsOfSeveral.includes(model) ? { n: severalPictures } : {}),
    ...(model === 'alpha-image-2' ? { response_format: form } : {}),
  };
}

async function judgeCell(
  parts: CheckParts,
  facts: PictureFaultFacts,
  cell: PictureCell,
  model: string,
): Promise<void> {
  const { cases, newScene, images, rng, judge } = parts;
  cases.count();
  const verdict = verdictOf(facts, cell);
  const scene = newScene();
  await scene.script({ fault: { id: facts.id, ...(cell.form === null ? {} : { form: cell.form }) } });
  const label = `${facts.id} ${facts.name} (${cell.form}), ${model}`;
  const exchange = await images.generate(bodyFor(model, rng.pick(['url', 'b64_json']), scene), { label });
  const requests = await scene.requestsNow();
  const misfit = requests.flatMap(({ entry }) => entry.reply.fault?.misfit ?? [])[0];
  if (misfit !== undefined) throw asMisfit(facts.id, misfit);
  const odd = requests.find(({ entry }) => entry.reply.fault?.id !== facts.id);
  if (odd !== undefined)
    throw new Error(`the simulators should have sent ${facts.id} but sent ${odd.entry.reply.status}`);
  must(!isSuccess(exchange), {
    requirement: ruleOf(facts),
    aspect: 'false-success',
    expected: 'an error: the upstream did not send what was asked for',
    actual: excerpt(exchange, 240),
    exchange,
  });
  judge.refused(exchange, { requirement: rowOfRefusal(verdict), aspect: 'fault-code', codes: verdict.codes });
  judgeAttempts(requests.length, verdict, exchange);
  await judgeFree(parts, exchange);
}

function judgeAttempts(count: number, verdict: Verdict, exchange: Exchange): void {
  const [min, max] = verdict.attempts;
  must(count >= min && count <= max, {
    requirement: rowOfRefusal(verdict),
    aspect: 'fault-attempts',
    expected: `${min} to ${max} upstream requests`,
    actual: String(count),
    exchange,
  });
}

async function judgeFree({ meter, judge }: CheckParts, exchange: Exchange): Promise<void> {
  if (!meter.byRequest) {
    judge.note('hooks.ledger is not declared: the cost of faulty calls was not judged');
    return;
  }
  const charge = await meter.chargeOf(exchange);
  const expected = 'no charge for missing images';
  const actual = `${charge} pico-dollars`;
  must(charge === 0n, { requirement: 'BILL-008', aspect: 'fault-charge', expected, actual, exchange });
}

async function judgeServedAgain(
  { images, newScene }: CheckParts,
  facts: PictureFaultFacts,
  model: string,
): Promise<void> {
  const n = modelsOfSeveral.includes(model) ? severalPictures : 1;
  const exchange = await images.generate(bodyFor(model, 'url', newScene()), {
    label: `a good call on ${model}`,
  });
  images.pictured(exchange, { requirement: ruleOf(facts), aspect: 'recovers', n });
}
