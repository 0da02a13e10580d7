import type { Caller } from '../../access/caller.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import type { JsonObject } from '../../http/parse-json.ts';
import type { MediaRequest, NamedParent } from '../../requests/media/media-request.ts';
import type { Task, TaskEnding } from './task.ts';
import { isTaskId } from './task-id.ts';
import type { TaskService } from './task-service.ts';

/** What a task takes over from its parents. */
export interface Ancestry {
  /**
   * The ids of its ancestors, from the first of the chain to its own parent. The last two of a mashup are its own
   * parents.
   */
  readonly parents: readonly string[];
  /** The channel for its job, because only the upstream that made the parent knows it. Null for any channel. */
  readonly channelId: string | null;
  /** Fields that the parent fills in. */
  readonly fields: JsonObject;
}

interface Parent {
  readonly task: Task;
  readonly made: TaskEnding & { readonly status: 'SUCCESS' };
}

/** Actions that result in four images, of which one can be chosen (B-62). */
const grids: ReadonlySet<string | null> = new Set(['imagine', 'variation', 'reroll']);
/** Actions that do not result in music. */
const noMusic: ReadonlySet<string | null> = new Set(['lyrics', 'mv', 'cover-img']);

/**
 * Finds the tasks that a request names. They must belong to the account, have ended, and be of a kind that the
 * request can build on.
 */
export async function findParents(
  service: TaskService,
  { accountId }: Caller,
  request: MediaRequest,
): Promise<Ancestry> {
  const found: Parent[] = [];
  for (const named of request.parents)
    found.push(parentOf(await lookUp(service, accountId, named), named, request));
  const own = found.map(({ task }) => task.id);
  const ancestors = found.flatMap(({ task }) => task.parents).filter((id) => !own.includes(id));
  const sameModel = found.find(({ task }) => task.model === request.model.id);
  return {
    parents: [...new Set(ancestors), ...own],
    channelId: sameModel?.task.channelId ?? null,
    fields: pictureFrom(request, found, service.linkTo),
  };
}

function lookUp({ tasks }: TaskService, accountId: string, { taskId }: NamedParent): Promise<Task | null> {
  return isTaskId(taskId) ? tasks.find(accountId, taskId) : Promise.resolve(null);
}

/** Rejects a task that cannot be a parent. Unknown tasks, tasks of others and forgotten ones get the same error. */
function parentOf(task: Task | null, { param }: NamedParent, request: MediaRequest): Parent {
  const refuse = (rule: string): never => {
    throw invalidParam(param, `${param} must name ${rule}.`);
  };
  if (task === null) return refuse('a task of this account that is still kept');
  const { isFit, rule } = kindFor(request);
  if (!isFit(task)) return refuse(rule);
  const { ending } = task;
  if (task.status !== 'SUCCESS' || ending?.status !== 'SUCCESS')
    return refuse('a task that has ended in SUCCESS');
  return { task, made: ending };
}

/** The kind of task that a request can build on, and its wording in errors. */
function kindFor({ model: { id } }: MediaRequest): {
  readonly rule: string;
  readonly isFit: (task: Task) => boolean;
} {
  switch (id) {
    case 'journey-v7':
      return {
        rule: 'a step of journey-v7 that makes four images',
        isFit: (task) => task.model === id && grids.has(task.action),
      };
    case 'song-v5':
      return {
        rule: 'a task of song-v5 that makes music',
        isFit: (task) => task.model === id && !noMusic.has(task.action),
      };
    default:
      return { rule: 'a task of an image model', isFit: (task) => task.medium === 'image' };
  }
}

/** A video that builds on an image task begins with that task's first image (B-77). */
function pictureFrom(
  { model }: MediaRequest,
  parents: readonly Parent[],
  linkTo: (file: string) => string,
): JsonObject {
  const [file] = parents[0]?.made.results ?? [];
  return model.medium === 'video' && file !== undefined ? { image: linkTo(file.file) } : {};
}
