import type { Dialect } from '../profile/dialect.ts';
import type { CarriedAnswer, CarriedRequest } from '../profile/translation.ts';
import { exactIn } from '../rewrite/json.ts';
import { specifiedTaskPath } from './routes.ts';

/**
 * The answer to a submission that a dialect accepts by another status, such as 303, as 202. Where it has no body, `Location`
 * has the id of the task.
 */
export function acceptedTask(
  answer: CarriedAnswer,
  { method, path }: Pick<CarriedRequest, 'method' | 'path'>,
  { tasks, fields }: Pick<Dialect, 'tasks' | 'fields'>,
): CarriedAnswer {
  const isSubmit = method === 'POST' && path.split('?', 1)[0] === '/api/v1/tasks';
  if (!isSubmit || answer.status !== tasks.accepted) return answer;
  const accepted = { ...answer, status: 202 };
  if (exactIn(answer.body) !== null) return accepted;
  const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
  const own = location.replace(/^https?:\/\/[^/]+/, '');
  const [, id] = /^\/api\/v1\/tasks\/([^/?]+)/.exec(specifiedTaskPath(tasks, own) ?? '') ?? [];
  if (id === undefined) return accepted;
  const queued = [tasks.states.QUEUED ?? 'QUEUED'].flat()[0];
  const { task_id: name, status } = fields.tasks.answer;
  const body = inPlaces([
    [name ?? 'task_id', id],
    [status ?? 'status', queued],
  ]);
  const headers = answer.headers.filter(([one]) => !/^content-(?:type|length)$/i.test(one));
  return {
    ...accepted,
    headers: [...headers, ['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** An object with these values at places such as `job.id`. */
function inPlaces(values: readonly (readonly [place: string, value: unknown])[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [place, value] of values) {
    const names = place.split('.');
    const last = names.pop() ?? '';
    const inner = names.reduce<Record<string, unknown>>((one, name) => {
      one[name] ??= {};
      return one[name] as Record<string, unknown>;
    }, whole);
    inner[last] = value;
  }
  return whole;
}
