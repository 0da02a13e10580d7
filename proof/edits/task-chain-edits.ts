import { laterSteps } from '../../suites/oracle/media/fields.ts';
import { mediaDialectOf } from '../../suites/oracle/media/upstream-view.ts';
import { type Body, objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { inErrors, pathOf, refusal } from '../../suites/rewrite/refusal-edits.ts';
import { inBodies, inRecords, isSubmit, isTaskRead, takenTask } from './media-edits.ts';

/** Changes to tasks that build on other tasks. */

export const isLater = ({ model, action }: Body): boolean =>
  model === 'journey-v7' && laterSteps.some((step) => step === action);

export const idIn = (request: ProxyRequest): string => pathOf(request).split('/').at(-1) ?? '';

/** Makes invalid steps of journey-v7 legal. */
export const inJourneys = (repair: (body: Body) => void): Mutation =>
  inBodies(isSubmit, (body) => {
    if (body.model === 'journey-v7') repair(body);
  });

export const inSongs = (repair: (body: Body) => void): Mutation =>
  inBodies(isSubmit, (body) => {
    if (body.model === 'song-v5') repair(body);
  });

export function refusesTask(
  when: (body: Body) => boolean,
  param: string | null = null,
  code = 'invalid_param' as const,
): Mutation {
  return {
    request: (request) => {
      const body = isSubmit(request) ? objectIn(request.body) : null;
      return body !== null && when(body) ? refusal(code, param) : request;
    },
  };
}

/** What a proxy in front of the gateway has seen of tasks: their account, their parent and their outcome. */
interface Seen {
  readonly body: Body;
  readonly owner: string;
  urls?: unknown;
  status?: unknown;
}

/** A mutation that remembers every accepted task. */
export function remembering(build: (tasks: ReadonlyMap<string, Seen>) => Mutation): Mutation {
  const tasks = new Map<string, Seen>();
  const inner = build(tasks);
  return {
    ...inner,
    answer: (answer, request) => {
      const body = objectIn(answer.body);
      if (isSubmit(request) && answer.status === 200 && typeof body?.task_id === 'string')
        tasks.set(body.task_id, { body: objectIn(request.body) ?? {}, owner: keyOf(request) });
      const known = isTaskRead(request) ? tasks.get(idIn(request)) : undefined;
      if (known !== undefined && body?.result_urls) known.urls = body.result_urls;
      if (known !== undefined) known.status = body?.status;
      return inner.answer?.(answer, request) ?? answer;
    },
  };
}

function keyOf({ headers }: ProxyRequest): string {
  return headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
}

/** The parent task of a request, wherever the request names it. `place` is its index if there are several. */
function parentIn(body: Body, place = 0): string {
  const image = body.image as { task_id?: unknown } | undefined;
  return String(
    body.parent_task_id ?? image?.task_id ?? (body.parent_task_ids as unknown[] | undefined)?.[place],
  );
}

/** Reveals to a caller whether a parent of another account exists. */
export const revealsForeign = (): Mutation =>
  remembering((tasks) => ({
    ...inErrors((error, _, request) => {
      if (isSubmit(request) && tasks.has(parentIn(objectIn(request.body) ?? {})))
        error.message = 'This task belongs to another account.';
    }),
  }));

/** Accepts a request that continues a task of another account. `place` is the index of its parent if there are several. */
export const takesForeign = (isSuch: (step: Body) => boolean = () => true, place = 0): Mutation =>
  takesParent((parent, step, caller) => parent.owner !== caller && isSuch(step), place);

/** Refuses a step of a task that another key has made. */
export const ownKeyAlone = (model: string, param: string): Mutation =>
  remembering((tasks) => ({
    request: (request) => {
      const body = isSubmit(request) ? (objectIn(request.body) ?? {}) : {};
      const known = body.model === model ? tasks.get(parentIn(body)) : undefined;
      return known !== undefined && known.owner !== keyOf(request)
        ? refusal('invalid_param', param)
        : request;
    },
  }));

/** Accepts a step of a task that the gateway refuses as a parent. */
export function takesParent(
  isSuch: (parent: Seen, step: Body, caller: string) => boolean,
  place = 0,
): Mutation {
  return remembering((tasks) => ({
    answer: (answer, request) => {
      const body = objectIn(request.body) ?? {};
      const known = isSubmit(request) && answer.status >= 400 ? tasks.get(parentIn(body, place)) : undefined;
      return known !== undefined && isSuch(known, body, keyOf(request)) ? takenTask : answer;
    },
  }));
}

/** Shows the outputs of the parent in the record of a step. */
export function ofParent(action: string, choose: (urls: unknown[]) => unknown[]): Mutation {
  return remembering((tasks) => ({
    ...inRecords((record, request) => {
      const own = tasks.get(idIn(request))?.body ?? {};
      const parent = tasks.get(String(own.parent_task_id));
      if (own.action === action && Array.isArray(record.result_urls) && Array.isArray(parent?.urls))
        record.result_urls = choose(parent.urls);
    }),
  }));
}

/** Equal submissions start only one job at the upstream with callbacks. */
export function oneJob(isSuch: (body: Body) => boolean): Mutation {
  return repeats(({ path, body: bytes }) => {
    const body = mediaDialectOf(path.split('?')[0] ?? '') === 'callback-jobs' ? objectIn(bytes) : null;
    const { model, task, parent, params } = body ?? {};
    return body !== null && isSuch(body) ? JSON.stringify([model, task, parent, params]) : null;
  });
}

/** Answers requests with an equal `keyFor` with the first successful answer; null exempts a request. */
function repeats(keyFor: (request: ProxyRequest) => string | null): Mutation {
  const known = new Map<string, ProxyAnswer>();
  return {
    request: (request) => known.get(keyFor(request) ?? '') ?? request,
    answer: (answer, request) => {
      const key = keyFor(request);
      if (key !== null && answer.status === 200) known.set(key, answer);
      return answer;
    },
  };
}
