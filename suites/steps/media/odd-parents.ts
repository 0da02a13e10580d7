import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { hasControl } from '../fields/media-inputs.ts';
import { submitJob } from './held-task.ts';
import { oneOfEachKind } from './task-models.ts';

/** A task that has ended without the result that a step needs. */
export interface OddParent {
  readonly what: string;
  readonly taskId: string;
  /** The aspect of the violation when a step on it is accepted. */
  readonly aspect: 'other-kind-refused' | 'no-result-refused';
}

/** A successful task of each other kind of model, and one of the model itself that failed. */
export async function oddParents(
  parts: CheckParts,
  model: string,
  isOther: (model: string) => boolean = (id) => id !== model,
): Promise<readonly OddParent[]> {
  const { target, tasks, newScene } = parts;
  const others = oneOfEachKind(target).filter(isOther);
  const made = await Promise.all(
    others.map(async (id): Promise<OddParent> => {
      const { taskId } = await tasks.make(newScene().minimalMedia(id));
      return { what: `a task of ${id}`, taskId, aspect: 'other-kind-refused' };
    }),
  );
  return hasControl(target) ? [...made, await failed(parts, model)] : made;
}

async function failed(parts: CheckParts, model: string): Promise<OddParent> {
  const error = { code: '500', message: 'The job broke.' };
  const { taskId, exchange } = await submitJob(parts, model, { end: 'failed', error });
  const { last } = await parts.tasks.follow(taskId);
  must(last.status === 'FAILED', {
    requirement: 'STATE-006',
    aspect: 'fails',
    expected: 'FAILED of a job that fails upstream',
    actual: last.status,
    exchange: last.exchange,
    twin: exchange,
  });
  return { what: `a task of ${model} that failed`, taskId, aspect: 'no-result-refused' };
}

/** Judges a refusal of a model at the wrong endpoint. */
export function judgeOtherKind(
  judge: Judge,
  exchange: Exchange,
  rule: { readonly requirement: string; readonly aspect: string; readonly twin: Exchange },
): void {
  const { code } = judge.refused(exchange, { ...rule, codes: otherKindCodes });
  if (code !== 'invalid_param') return;
  judge.refused(exchange, { ...rule, codes: otherKindCodes, param: 'model', paramRule: rule.requirement });
}

/** Judges that a step is refused because of the parent in `param`: as a wrong value or as an unknown task (reading B-62). */
export function judgeRefusedParent(
  judge: Judge,
  exchange: Exchange,
  param: string,
  rule: Rule & { readonly twin?: Exchange | undefined },
): void {
  const { code } = judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
  if (code === 'invalid_param')
    judge.refused(exchange, { ...rule, codes: [code], param, paramRule: rule.requirement });
}
