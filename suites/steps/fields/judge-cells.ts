import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import type { Scene } from '../../engine/scene.ts';
import type { MediaCell } from '../../generators/media-cells.ts';
import type { MediaModel } from '../../oracle/media/models.ts';
import { unknownRule } from '../../oracle/media/rules.ts';
import { advise, must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf } from '../../wire/exchange.ts';
import { judgeTaken, sendMedia } from './judge-legal.ts';
import { hasControl } from './media-inputs.ts';

/** How many cells beyond the core a quick run draws for each rule and aspect. */
const drawnEach = 2;

/** The cells to send: all core cells, and the others all in a full run or drawn in a quick one. */
export function chosenCells(
  { cases, rng, target }: CheckParts,
  cells: readonly MediaCell[],
): readonly MediaCell[] {
  if (cases.full) return cells;
  if (target.size === 'smoke')
    return target.few(cells, ({ requirement, verdict }) => `${requirement} ${verdict}`);
  const others = Map.groupBy(
    cells.filter(({ core }) => !core),
    ({ requirement, aspect }) => `${requirement} ${aspect}`,
  );
  const drawn = new Set([...others.values()].flatMap((group) => rng.shuffle(group).slice(0, drawnEach)));
  return cells.filter((cell) => cell.core || drawn.has(cell));
}

/** Sends a cell that must be refused: the error names the field, and no task is made. */
export async function judgeRefusedCell(
  parts: CheckParts,
  model: MediaModel,
  cell: MediaCell,
  { twin, key }: { readonly twin: Exchange; readonly key: string },
): Promise<void> {
  parts.cases.count();
  const options = { key, label: `${model.id}, ${cell.why}` };
  const exchange = await sendMedia(parts, model, { ...cell.body }, options);
  judgeRefusedField(parts.judge, exchange, cell, twin);
}

/** Judges a refusal that must name one field. */
export function judgeRefusedField(
  judge: Judge,
  exchange: Exchange,
  { requirement, aspect, field }: Pick<MediaCell, 'requirement' | 'aspect' | 'field'>,
  twin: Exchange,
): void {
  const rule = { requirement, aspect, codes: ['invalid_param'], paramRule: requirement, twin } as const;
  const { param } = judge.refused(exchange, rule);
  // A dot in a field name cannot be distinguished from a path separator, so the whole name counts as well.
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

/** Sends a cell that the specification leaves open: it may be accepted or refused, but cleanly. */
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

/**
 * Judges that refused requests made nothing at an upstream. A later accepted request has arrived there, so the refused ones
 * would have arrived too.
 */
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
    expected: 'no upstream request for refused requests',
    actual: `${model.id}: ${request?.text.slice(0, 200)}`,
    twin,
  });
}

/** Whether a cell is a field of a shared table that the model does not list. A refusal must name it. */
function isShared({ core, verdict }: MediaCell): boolean {
  return core && verdict === 'either';
}

function isSeconds({ medium }: MediaModel, { field, value }: MediaCell): boolean {
  return medium === 'video' && field === 'duration' && typeof value === 'number';
}

/** Judges that an accepted length is also produced (reading B-74). */
async function judgeLength(tasks: Tasks, cell: MediaCell, taskId: string, exchange: Exchange): Promise<void> {
  const { last } = await tasks.follow(taskId);
  if (last.status !== 'SUCCESS') return;
  advise(!tasks.showsLength || last.durationSec === cell.value, {
    requirement: cell.requirement,
    aspect: 'accepted-length-made',
    expected: `duration_sec ${cell.value}, which was accepted`,
    actual: String(last.durationSec),
    exchange: last.exchange,
    twin: exchange,
  });
}
