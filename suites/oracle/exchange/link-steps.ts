import { isJsonObject, parseJson } from '../../values/json.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { taskIdIn } from '../media/task-answer.ts';
import type { Attempt } from './attempt.ts';
import type { Call } from './call.ts';
import { type Linkable, linkAttempts, type MarkedAttempt } from './link-attempts.ts';

/** A call that may submit a task. */
export interface Submitted extends Linkable {
  readonly exchange: Exchange;
  readonly call: Call;
}

/** The upstream's ids of jobs, by the ids of their tasks. A task whose attempts have started several may have any of them. */
export function jobsOf(
  linked: Iterable<readonly [Submitted, readonly Attempt[] | null]>,
): ReadonlyMap<string, string> {
  const jobs = new Map<string, string>();
  for (const [{ exchange, call }, attempts] of linked) {
    const id = call.protocol === 'submit' ? taskIdIn(exchange) : null;
    const [job, ...more] = id === null ? [] : (attempts ?? []).flatMap((attempt) => jobIn(attempt) ?? []);
    const mayBeLost = attempts?.some(({ status, ended }) => status === null || ended !== 'complete') ?? true;
    if (id !== null && job !== undefined && more.length === 0 && !mayBeLost) jobs.set(id, job);
  }
  return jobs;
}

/** The id of the job that an attempt has started; null where it has not. */
function jobIn({ answer, isWhole, status }: Attempt): string | null {
  const body = isWhole && status === 200 ? parseJson(answer.toString('utf8')) : undefined;
  const id = isJsonObject(body) && isJsonObject(body.data) ? body.data.taskId : undefined;
  return typeof id === 'string' ? id : null;
}

/** The task that a call names as its only parent; null where it names none. */
export function parentOf({ protocol, request }: Call): string | null {
  const { parent_task_id: id, parent_task_ids: several } = request ?? {};
  return protocol === 'submit' && typeof id === 'string' && several === undefined ? id : null;
}

/**
 * Adds the attempts of later steps without a text of their own, and so without marks: their upstream gets the job of their
 * parent, and the action. Unknown stays a step whose job went elsewhere, and one of several that are alike: times of a moved
 * clock cannot tell them apart.
 */
export function linkSteps<C extends Submitted, A extends MarkedAttempt>(
  linked: Map<C, readonly A[] | null>,
  attempts: readonly A[],
): void {
  const ofParents = attempts
    .filter(({ marks }) => marks === '')
    .map((attempt) => ({ ...attempt, attempt, marks: stepIn(attempt) }));
  const isOpen = new Set([...linked.keys()].filter((one) => one.marks === '' && parentOf(one.call) !== null));
  for (;;) {
    const jobs = jobsOf(linked);
    const next = [...isOpen].flatMap((call) => {
      const job = jobs.get(parentOf(call.call) ?? '');
      return job === undefined ? [] : [{ ...call, call, marks: `${job} ${call.call.request?.action}` }];
    });
    if (next.length === 0) return;
    for (const { call } of next) isOpen.delete(call);
    const alike = Map.groupBy(next, ({ marks }) => marks);
    const alone = [...alike.values()].flatMap(([one, ...more]) => (one && more.length === 0 ? [one] : []));
    for (const [{ call }, own] of linkAttempts(alone, ofParents)) {
      if (own !== null && own.length > 0)
        linked.set(
          call,
          own.map(({ attempt }) => attempt),
        );
    }
  }
}

function stepIn({ body }: Attempt): string {
  const value = parseJson(body.toString('utf8'));
  return isJsonObject(value) && typeof value.parent === 'string' ? `${value.parent} ${value.task}` : '';
}
