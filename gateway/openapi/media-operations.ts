import type { ErrorCode } from '../errors/codes.ts';
import { imagesSchema } from '../services/images/images-view.ts';
import { submittedSchema, taskSchema } from '../services/tasks/task-view.ts';
import { mediaRequests } from './media-schemas.ts';
import type { Operation } from './operation.ts';

const entering: readonly ErrorCode[] = [
  ...(['invalid_api_key', 'sk_disabled', 'sk_expired', 'ip_not_allowed'] as const),
  ...(['method_not_allowed', 'headers_too_large', 'internal_error', 'concurrency_exceeded'] as const),
];
const asking: readonly ErrorCode[] = [
  ...(['invalid_param', 'model_not_found', 'quota_exceeded'] as const),
  ...entering,
  ...(['request_timeout', 'payload_too_large'] as const),
];

const onMedia = { tag: 'media', security: ['bearer'], errorShape: 'Error', parameters: [] } as const;

/** Images in one answer, and tasks for everything that takes longer. */
export const mediaOperations: readonly Operation[] = [
  {
    ...onMedia,
    method: 'post',
    path: '/api/v1/images/generations',
    id: 'createImages',
    summary: 'Makes images, and returns them.',
    body: mediaRequests('images'),
    answer: { status: 200, description: 'The images.', json: { name: 'Images', schema: imagesSchema } },
    errors: [
      ...asking,
      ...(['content_filter', 'channel_queue_full', 'upstream_error', 'channel_outage'] as const),
      'upstream_timeout',
    ],
  },
  {
    ...onMedia,
    method: 'post',
    path: '/api/v1/tasks',
    id: 'submitTask',
    summary: 'Starts a task that makes a video, audio or a grid of images.',
    body: mediaRequests('tasks'),
    answer: {
      status: 200,
      description: 'What the task is read with.',
      json: { name: 'SubmittedTask', schema: submittedSchema },
    },
    errors: asking,
  },
  {
    ...onMedia,
    method: 'get',
    path: '/api/v1/tasks/{task_id}',
    id: 'readTask',
    summary: 'Shows the state and the results of a task.',
    parameters: [{ name: 'task_id', in: 'path', required: true, schema: { type: 'string' } }],
    body: null,
    answer: { status: 200, description: 'The task.', json: { name: 'Task', schema: taskSchema } },
    errors: [...entering, 'task_not_found'],
  },
];
