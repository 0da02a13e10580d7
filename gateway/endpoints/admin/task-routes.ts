import { z } from 'zod';
import { moment } from '../../admin/account-schemas.ts';
import { found } from '../../admin/change.ts';
import { pageOf, pageQuery, pageView } from '../../admin/page.ts';
import { media } from '../../catalogue/media-models.ts';
import { id } from '../../config/fields.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import type { Task } from '../../services/tasks/task.ts';
import { isTaskId } from '../../services/tasks/task-id.ts';
import { taskSchema, taskView } from '../../services/tasks/task-view.ts';
import type { TaskPlace } from '../../services/tasks/tasks.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';

const count = z.int().min(0);
const { task_id, status, model, action, submit_time, result_urls, duration_sec, error } = taskSchema.shape;
const view = z.strictObject({
  task_id,
  request_id: z.string().describe('The request that handed it in, under which it is charged.'),
  account_id: z.string(),
  user_id: z.string(),
  app_id: z.string(),
  key_id: z.string(),
  status,
  model,
  medium: z.enum(media),
  action,
  parents: z.array(z.string()).describe('The tasks that it builds on, the first one first.'),
  webhook_url: z.string().nullable(),
  channel_id: z.string().nullable().describe('Where its job is, or may be; null before the first try.'),
  native_id: z.string().nullable().describe('The id of the job there.'),
  start_tries: count.describe('Tries at starting its job.'),
  poll_tries: count.describe('Failed questions after its job in a row.'),
  submit_time,
  deadline: moment.describe('When it expires at the latest.'),
  ended_at: moment.nullable(),
  result_urls,
  duration_sec,
  error,
});

const taskQuery = pageQuery.extend({ account_id: id.optional(), status: status.optional() });

/** Routes for the tasks of all accounts. They do not show the inputs, which are private to the caller. */
export const taskRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/api/admin/tasks',
    summary: 'Lists the stored tasks, newest first.',
    query: taskQuery,
    answer: pageView(view),
    handle: async ({ admin, query }) => {
      const { limit, after } = query;
      const filter = {
        ...(query.account_id !== undefined && { accountId: query.account_id }),
        ...(query.status !== undefined && { status: query.status }),
      };
      const place = after === undefined ? undefined : placeOf(after);
      const tasks = await admin.tasks.search(filter, limit + 1, place);
      return pageOf(tasks, limit, cursorOf, (task) => viewOf(task, admin.linkTo));
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/api/admin/tasks/:task',
    summary: 'Shows a task.',
    answer: view,
    handle: async ({ admin, ids: { task: taskId = '' } }) => {
      const task = isTaskId(taskId) ? await admin.tasks.findAny(taskId) : null;
      return viewOf(found(task ?? undefined, 'task'), admin.linkTo);
    },
  }),
];

function cursorOf({ submittedAtMs, id: taskId }: Task): string {
  return `${submittedAtMs}.${taskId}`;
}

function placeOf(cursor: string): TaskPlace {
  const [, at, taskId = ''] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (at === undefined || !isTaskId(taskId))
    throw invalidParam('after', 'after must be the next of an earlier answer.');
  return { submittedAtMs: Number(at), id: taskId };
}

function viewOf(task: Task, linkTo: (file: string) => string): z.input<typeof view> {
  const { parent_task_id: _parent, parent_task_ids: _both, ...shown } = taskView(task, linkTo);
  return {
    ...shown,
    request_id: task.requestId,
    account_id: task.accountId,
    user_id: task.userId,
    app_id: task.appId,
    key_id: task.keyId,
    medium: task.medium,
    parents: [...task.parents],
    webhook_url: task.webhookUrl,
    channel_id: task.channelId,
    native_id: task.nativeId,
    start_tries: task.startTries,
    poll_tries: task.pollTries,
    deadline: new Date(task.deadlineAtMs).toISOString(),
    ended_at: task.endedAtMs === null ? null : new Date(task.endedAtMs).toISOString(),
  };
}
