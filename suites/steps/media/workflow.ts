import type { Fetched } from '../../engine/fetch-media.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import type { LaterStep } from '../../oracle/media/fields.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { describeMedia } from '../../wire/media.ts';
import { enabledModel, mediaInputsOf } from '../fields/media-inputs.ts';
import { mustSucceed } from './own-tasks.ts';

/** The steps of journey-v7. */
export type StepName = 'imagine' | LaterStep;

/** A step that succeeded. */
export interface MadeStep {
  readonly name: StepName;
  readonly taskId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly last: TaskRecord;
  readonly files: readonly Fetched[];
  readonly submitted: Exchange;
}

/** The requirement about the results of a step. */
export const rowOfEnd = {
  imagine: 'JRNY-003',
  upscale: 'JRNY-005',
  variation: 'JRNY-007',
  reroll: 'JRNY-008',
} as const;

/** The requirement that a step with everything it needs is accepted. */
export const rowOfStep = {
  imagine: 'JRNY-002',
  upscale: 'JRNY-004',
  variation: 'JRNY-006',
  reroll: 'JRNY-008',
} as const;

/** The smallest body of the first step. */
export function imagineBody(parts: CheckParts, tag = 'grid'): Record<string, unknown> {
  return smallestBody(enabledModel(parts.target, 'journey-v7'), mediaInputsOf(parts, parts.newScene()), tag);
}

/** The body of a later step. */
export function stepBody(action: LaterStep, parentId: string, index?: number): Record<string, unknown> {
  const picked = index === undefined ? {} : { index };
  return { model: 'journey-v7', action, parent_task_id: parentId, ...picked };
}

/** Submits a step, which must be accepted, follows it to success, and judges its results. */
export async function makeStep(
  { cases, tasks }: CheckParts,
  name: StepName,
  body: Readonly<Record<string, unknown>>,
): Promise<MadeStep> {
  cases.count();
  const submitted = await tasks.submit({ ...body }, { label: name });
  const { taskId } = tasks.accepted(submitted, { requirement: rowOfStep[name], aspect: 'step-accepted' });
  const { last } = await tasks.follow(taskId);
  const expected = 'SUCCESS of a step that its upstream completes';
  mustSucceed(last, { requirement: rowOfEnd[name], aspect: 'step-succeeds', expected }, submitted);
  const files = await tasks.results(last);
  judgePictures(name, files, last);
  return { name, taskId, body, last, files, submitted };
}

/** The long side of an image in pixels; of one cell where the image is a composed grid. */
export function cellSide(files: readonly Fetched[]): number {
  const [first] = files;
  const { sniffed } = first ?? {};
  if (sniffed?.kind !== 'image') return 0;
  return Math.max(sniffed.width, sniffed.height) / (files.length === 1 ? 2 : 1);
}

/** The long side of a single image, pixels. */
export function longSide([file]: readonly Fetched[]): number {
  return file?.sniffed.kind === 'image' ? Math.max(file.sniffed.width, file.sniffed.height) : 0;
}

/** Whether two steps made the same images. */
export function isSameGrid(one: readonly Fetched[], other: readonly Fetched[]): boolean {
  return one.length === other.length && one.every(({ bytes }, place) => other[place]?.bytes.equals(bytes));
}

/** A grid is four images or one composed image (reading B-64); an upscale is exactly one image. */
function judgePictures(name: StepName, files: readonly Fetched[], last: TaskRecord): void {
  const counts = name === 'upscale' ? [1] : [1, 4];
  must(counts.includes(files.length) && files.every(({ sniffed }) => sniffed.kind === 'image'), {
    requirement: rowOfEnd[name],
    aspect: 'pictures',
    expected: name === 'upscale' ? 'exactly one image' : 'a grid: four images or one composed image',
    actual: `${files.length} results: ${files.map(({ sniffed }) => describeMedia(sniffed)).join(', ')}`,
    exchange: last.exchange,
  });
}
