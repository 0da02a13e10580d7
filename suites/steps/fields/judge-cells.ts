import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import type { Scene } from '../../engine/scene.ts';
import type { MediaCell } from '../../generators/media-cells.ts';
import type { MediaModel } from '../../oracle/media/models.ts';
import { unknownRule } from '../../oracle/media/rules.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf } from '../../wire/exchange.ts';
import { judgeTaken, sendMedia } from './judge-legal.ts';
import { hasControl } from './media-inputs.ts';

/** Cells beyond the core that a quick run draws for each rule and aspect. */
const drawnEach = 2;

/** The cells to send: all of the core, and of the rest all in a full run, else some that are drawn. */
export function chosenCells({ cases, rng }: CheckParts, cells: readonly MediaCell[]): readonly MediaCell[] {
  if (cases.full) return cells;
  const others = Map.groupBy(
    cells.filter(({ core }) => !core),
    ({ requirement, aspect }) => `${requirement} ${aspect}`,
  );
  const drawn = new Set([...others.values()].flatMap((group) => rng.shuffle(group).slice(0, drawnEach)));
  return cells.filter((cell) => cell.core || drawn.has(cell));
}

/** Sends a cell that must be refused: by name, and without a task. */
export async function judgeRefusedCell(
  parts: CheckParts,
  model: MediaModel,
  cell: MediaCell,
  twin: Exchange,
): Promise<void> {
  parts.cases.count();
  const exchange = await sendMedia(parts, model, { ...cell.body }, { label: `${model.id}, ${cell.why}` });
  judgeRefusedField(parts.judge, exchange, cell, twin);
}

/** Judges a refusal of one field. */
export function judgeRefusedField(
  judge: Judge,
  exchange: Exchange,
  { requirement, aspect, field }: Pick<MediaCell, 'requirement' | 'aspect' | 'field'>,
  twin: Exchange,
): void {
  const rule = { requirement, aspect, codes: ['invalid_param'], paramRule: requirement, twin } as const;
  const { param } = judge.refused(exchange, rule);
  // A dot in a name cannot be told from a path, so that the name as a whole counts as well.
  if (param !== field) judge.refused(exchange, { ...rule, param: field });
  const body = jsonOf(exchange) as Record<string, unknown>;
  must(body.task_id === undefined, {
    requirement: 'TASK-006',
    aspect: 'no-task-id',
    expected: 'no task_id beside an error',
    actual: excerpt(exchange, 160),
    exchange,
    twin,
  });
}

/** Sends a cell that the text leaves open: accepted or refused, but cleanly. */
export async function judgeOpenCell(
  parts: CheckParts,
  model: MediaModel,
  cell: MediaCell,
  twin: Exchange,
): Promise<void> {
  const { cases, judge, tasks } = parts;
  cases.count();
  const { requirement, aspect, field, why, body } = cell;
  const exchange = await sendMedia(parts, model, { ...body }, { label: `${model.id}, ${why}` });
  const status = exchange.response?.status ?? 0;
  const isTaken = status >= 200 && status < 300;
  judge.note(`${model.id} ${isTaken ? 'accepts' : 'refuses'} ${why}`);
  if (!isTaken) {
    const named = isShared(cell) ? { param: field } : {};
    judge.refused(exchange, {
      requirement,
      aspect,
      codes: ['invalid_param'],
      paramRule: requirement,
      ...named,
      twin,
    });
    return;
  }
  const taskId = judgeTaken(parts, model, body, exchange, twin, { requirement, aspect });
  if (taskId !== null && isSeconds(model, cell)) await judgeLength(tasks, cell, taskId, exchange);
}

/** A field of a shared table that the model does not list: refused by its name where it is refused. */
function isShared({ core, verdict }: MediaCell): boolean {
  return core && verdict === 'either';
}

function isSeconds({ medium }: MediaModel, { field, value }: MediaCell): boolean {
  return medium === 'video' && field === 'duration' && typeof value === 'number';
}

/** A length that is accepted is made (reading B-74). */
async function judgeLength(tasks: Tasks, cell: MediaCell, taskId: string, exchange: Exchange): Promise<void> {
  const { last } = await tasks.follow(taskId);
  if (last.status !== 'SUCCESS') return;
  must(last.durationSec === cell.value, {
    requirement: cell.requirement,
    aspect: 'accepted-length-made',
    expected: `duration_sec ${cell.value}, which was accepted`,
    actual: String(last.durationSec),
    exchange: last.exchange,
    twin: exchange,
  });
}

/** What is refused leaves nothing at an upstream: what was accepted after it has arrived there by now. */
export async function judgeNothingMade(
  target: Target,
  model: MediaModel,
  { faulty, legal, accepted }: { readonly faulty: Scene; readonly legal: Scene; readonly accepted: number },
  twin: Exchange,
): Promise<void> {
  if (!hasControl(target)) return;
  await legal.requests(accepted);
  const [request] = await faulty.requestsNow();
  must(request === undefined, {
    requirement: unknownRule(model).requirement,
    aspect: 'nothing-made',
    expected: 'nothing at an upstream of requests that were refused',
    actual: `${model.id}: ${request?.text.slice(0, 200)}`,
    twin,
  });
}
