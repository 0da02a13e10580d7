import { z } from 'zod';
import { errorTable, errorTypes } from '../../errors/codes.ts';
import { type Task, type TaskError, taskStatuses } from './task.ts';
import type { NewTask } from './tasks.ts';

const submitTime = z.iso.datetime().describe('When it was handed in.');

/** The answer to a submission (specification, "Task submit"). */
export const submittedSchema = z.strictObject({
  task_id: z.string().describe('What the task is read with.'),
  status: z.literal('QUEUED'),
  submit_time: submitTime,
});

/** What callers see of a task. The content of `error` is our documented extension (B-72). */
export const taskSchema = z.strictObject({
  task_id: z.string(),
  status: z.enum(taskStatuses),
  model: z.string(),
  action: z.string().optional().describe('The step of a chain.'),
  parent_task_id: z.string().optional().describe('The task that it builds on.'),
  parent_task_ids: z.array(z.string()).optional().describe('Both of them, where it builds on two.'),
  submit_time: submitTime,
  result_urls: z
    .array(z.string())
    .nullable()
    .describe('Where the results can be read, without a key; null before SUCCESS.'),
  duration_sec: z
    .int()
    .nullable()
    .describe('Length of the video or audio in seconds; null before SUCCESS, and for images.'),
  error: z
    .strictObject({
      type: z.enum(errorTypes),
      code: z.string(),
      message: z.string(),
      channel: z.string().nullable(),
      param: z.string().nullable(),
    })
    .nullable()
    .describe('Why it failed; null unless FAILED.'),
});

export function submittedView({
  id,
  submittedAtMs,
}: Pick<NewTask, 'id' | 'submittedAtMs'>): z.input<typeof submittedSchema> {
  return { task_id: id, status: 'QUEUED', submit_time: new Date(submittedAtMs).toISOString() };
}

export function taskView(task: Task, linkTo: (file: string) => string): z.input<typeof taskSchema> {
  const { id, status, model, action, submittedAtMs, ending } = task;
  // The ending is decided before the task ends, but shown only when it has ended.
  const made = status === 'SUCCESS' && ending?.status === 'SUCCESS' ? ending : null;
  const failed = status === 'FAILED' && ending?.status === 'FAILED' ? ending : null;
  return {
    task_id: id,
    status,
    model,
    ...(action !== null && { action }),
    ...parentsIn(task),
    submit_time: new Date(submittedAtMs).toISOString(),
    result_urls: made?.results.map(({ file }) => linkTo(file)) ?? null,
    duration_sec: made?.durationSec ?? null,
    error: failed === null ? null : errorView(failed.error),
  };
}

/** The tasks that it directly builds on: two for a mashup. */
function parentsIn({
  parents,
  action,
}: Task): Pick<z.input<typeof taskSchema>, 'parent_task_id' | 'parent_task_ids'> {
  const own = parents.slice(action === 'mashup' ? -2 : -1);
  const [first] = own;
  if (first === undefined) return {};
  return { parent_task_id: first, ...(own.length > 1 && { parent_task_ids: own }) };
}

function errorView({ code, message, channel, param }: TaskError): z.input<typeof taskSchema>['error'] {
  return { type: errorTable[code].type, code, message, channel, param };
}
