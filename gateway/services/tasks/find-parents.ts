import type { Caller } from '../../access/caller.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import type { JsonObject } from '../../http/parse-json.ts';
import type { MediaRequest, NamedParent } from '../../requests/media/media-request.ts';
import type { Task, TaskEnding } from './task.ts';
import { isTaskId } from './task-id.ts';
import type { TaskService } from './task-service.ts';

/** What a task has from those that it builds on. */
export interface Ancestry {
  /** Their ids, from the first of the chain to its own parent; of a mashup the last two are its own. */
  readonly parents: readonly string[];
  /** Where its job goes: only the upstream that made the parent knows it. Null for anywhere. */
  readonly channelId: string | null;
  /** Fields that a parent fills in. */
  readonly fields: JsonObject;
}

interface Parent {
  readonly task: Task;
  readonly made: TaskEnding & { readonly status: 'SUCCESS' };
}

/** Steps that end in four pictures, of which one can be chosen (B-62). */
const grids: ReadonlySet<string | null> = new Set(['imagine', 'variation', 'reroll']);
/** Steps that end in something else than music. */
const noMusic: ReadonlySet<string | null> = new Set(['lyrics', 'mv', 'cover-img']);

/** Looks the tasks up that a request names: they must be the account's, over, and of a kind that it can build on. */
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

/** Refuses what cannot be built on. Unknown, foreign and forgotten tasks are the same to the caller. */
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

/** What a request can build on, and how that is said. */
function kindFor({ model: { id } }: MediaRequest): {
  readonly rule: string;
  readonly isFit: (task: Task) => boolean;
} {
  switch (id) {
    case 'journey-v7':
      return {
        rule: 'a step of journey-v7 that makes four pictures',
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

/** A video that begins with what an image task made begins with its first picture (B-77). */
function pictureFrom(
  { model }: MediaRequest,
  parents: readonly Parent[],
  linkTo: (file: string) => string,
): JsonObject {
  const [file] = parents[0]?.made.results ?? [];
  return model.medium === 'video' && file !== undefined ? { image: linkTo(file.file) } : {};
}
