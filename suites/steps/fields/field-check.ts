import { type Check, defineCheck } from '../../engine/check.ts';
import { type Fact, fileFact } from '../../engine/facts.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { type MediaCell, mediaCells } from '../../generators/media-cells.ts';
import { cellsInCompany } from '../../generators/media-company.ts';
import { legalRounds } from '../../generators/media-rounds.ts';
import { fieldsOf, type MediaField, neededMedia } from '../../oracle/media/fields.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import { foreignRule, unknownRule, webhookRule } from '../../oracle/media/rules.ts';
import { openFieldsOf } from '../../oracle/media/shared-fields.ts';
import { inTurns, inTurnsOfUsers } from './in-turns.ts';
import { chosenCells, judgeNothingMade, judgeOpenCell, judgeRefusedCell } from './judge-cells.ts';
import { judgeLegal } from './judge-legal.ts';
import { enabledModel, mediaInputsOf } from './media-inputs.ts';

/**
 * One check for each model. Each cell is the only unusual field in the smallest legal body; some cells are also tried with
 * every other field. The smallest body is the positive twin of each refusal. Legal values are sent together, several in one
 * request.
 */
export function fieldChecks(area: string, chosen: (model: MediaModel) => boolean): readonly Check[] {
  return mediaModels.filter(chosen).map((model) =>
    defineCheck({
      id: `${area}.${model.id.toLowerCase().replaceAll('.', '-')}.fields`,
      title: `${model.id} takes every legal field value and refuses anything else by name`,
      requirements: rowsOf(model),
      kind: 'example',
      needs: factsOf(model),
      run: (parts) => judgeModel(parts, model.id),
    }),
  );
}

/** The facts about required values of a model that only the deployment knows. */
function factsOf({ id }: MediaModel): readonly Fact[] {
  const own = { 'voice-v3': ['media.voices'], 'vector-v3': ['media.styles'] } as const;
  const declared = id === 'voice-v3' || id === 'vector-v3' ? own[id] : [];
  return [...new Set([...neededMedia(id).map(fileFact), ...declared])];
}

async function judgeModel(parts: CheckParts, id: string): Promise<void> {
  const { newScene, target, rng } = parts;
  const model = enabledModel(target, id);
  const [legal, faulty] = [newScene(), newScene()];
  const [smallest, ...others] = legalRounds(model, mediaInputsOf(parts, legal));
  const rounds = target.few(others);
  if (smallest === undefined) throw new Error(`no legal request for ${id}`);
  const { exchange: twin } = await judgeLegal(parts, smallest);
  const cells = chosenCells(parts, mediaCells(model, mediaInputsOf(parts, faulty))).map((cell) =>
    declared(target, model, cell),
  );
  const refused = cells.filter(({ verdict }) => verdict === 'refuse');
  const [, ...company] = legalRounds(model, mediaInputsOf(parts, faulty));
  const crossed = target.few(cellsInCompany(refused, company, rng));
  await inTurnsOfUsers(parts, [...refused, ...crossed], (cell, key) =>
    judgeRefusedCell(parts, model, cell, { twin, key }),
  );
  await inTurns(target, rounds, async (round) => void (await judgeLegal(parts, round, twin)));
  await judgeNothingMade(target, model, { faulty, legal, accepted: rounds.length + 1 }, twin);
  const open = cells.filter(({ verdict }) => verdict === 'either');
  await inTurns(target, open, (cell) => judgeOpenCell(parts, model, cell, twin));
}

/**
 * The cell with the declared treatment of shared fields that a model does not list, where the specification leaves it open.
 */
function declared(target: Target, model: MediaModel, cell: MediaCell): MediaCell {
  const isShared = cell.verdict === 'either' && openFieldsOf(model).some(({ name }) => name === cell.field);
  // It is open in any case which vidA model accepts which field (readings B-75, B-76).
  if (!isShared || model.id.startsWith('vidA-') || model.medium === 'audio') return cell;
  // Whether a model accepts a prompt that it does not need is a separate question (reading B-79).
  if (cell.field === 'prompt') return cell;
  // `n: 1` has no effect, and clients of the common library always send it (reading B-145).
  if (cell.field === 'n' && cell.value === 1) return cell;
  const { images, video } = target.profile;
  const { shared_fields: way } = model.medium === 'video' ? video : images;
  return way === 'strict' ? { ...cell, verdict: 'refuse' } : cell;
}

/** The requirements that the cells of a model are about, beginning with the model's own. */
function rowsOf(model: MediaModel): readonly [string, ...string[]] {
  const fields = fieldsOf(model.id);
  const rows = new Set([
    ...fields.map(({ row }) => row),
    ...openFieldsOf(model).map(({ row }) => row),
    ...(model.endpoint === 'images' ? imageRows(fields) : taskRows(model, fields)),
    unknownRule(model).requirement,
    foreignRule(model).requirement,
    webhookRule(model, 'accept').requirement,
    webhookRule(model, 'refuse').requirement,
  ]);
  // A task model may have its own requirements about these, besides those of all task models.
  if (model.endpoint === 'tasks') for (const row of ['TASK-004', 'TASK-007', 'TASK-008']) rows.add(row);
  rows.delete(model.row);
  return [model.row, ...rows];
}

function imageRows(fields: readonly MediaField[]): string[] {
  const lists = (kind: string): boolean => fields.some(({ form }) => form.kind === kind);
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  return [
    'IMG-006',
    'IMG-007',
    'IMG-029',
    ...(has('n') ? ['IMG-010'] : []),
    ...(lists('one-of') ? ['IMG-031'] : []),
    ...(has('reference_images') || has('reference_image_url') ? ['IMG-026'] : []),
  ];
}

function taskRows({ medium, id }: MediaModel, fields: readonly MediaField[]): string[] {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  if (medium === 'video') return ['VID-004', 'VID-007', ...(has('duration') ? ['VID-002', 'VID-003'] : [])];
  return id === 'voice-music' ? ['AUD-002'] : [];
}
