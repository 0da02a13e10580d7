import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { isTerminal } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** How long to poll a task that a gateway may hold back while the channel cools down, ms. */
const readForMs = 3_000;

/** A rule that a code proves. */
export interface CodeRule {
  readonly requirement: string;
  readonly aspect: string;
  readonly codes: readonly ErrorCode[];
}

/** Judges the code of a refused submission, or of the failed task if it reports one (reading B-72). Returns that code. */
export async function judgeFailingTask(
  { cases, tasks, judge }: CheckParts,
  scene: Scene,
  model: string,
  { label, rule: { codes, ...rule } }: { readonly label: string; readonly rule: CodeRule },
): Promise<readonly Exchange[]> {
  cases.count();
  const submitted = await tasks.submit(scene.minimalMedia(model), { label });
  if ((submitted.response?.status ?? 500) >= 300) {
    judge.refused(submitted, { ...rule, codes });
    return [submitted];
  }
  const { taskId } = tasks.accepted(submitted);
  const { last } = await tasks.watch(taskId, { withinMs: readForMs, label });
  if (!isTerminal(last.status)) judge.note(`a task on ${model} waits while its upstream rejects it`);
  const code = last.error?.code ?? null;
  must(last.status !== 'SUCCESS' && (code === null || codes.some((one) => one === code)), {
    ...rule,
    expected: `no success, and if the record has an error, ${codes.join(' or ')}`,
    actual: `${last.status} ${code ?? 'without an error'}`,
    exchange: last.exchange,
    twin: submitted,
  });
  return [submitted, last.exchange];
}
