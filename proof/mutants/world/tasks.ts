import { inRecords, inSubmitted } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** The end of a task under this condition leaves its price on hold: the line to replace, and by what. */
function heldAfterIf(condition: string): readonly [find: string, replace: string] {
  const settles = 'await ledger.settle(taskRecord(task, ending, atMs));';
  return [
    settles,
    `${settles}
  if (${condition})
    await ledger.hold({
      requestId: 'kept-' + task.requestId,
      accountId: task.accountId,
      amount: task.price.unitPico,
      overshoots: true,
      atMs,
    });`,
  ];
}

/** Gateways whose tasks fail in some state, for some reader, or for a later step. */
export const worldTaskMutants: readonly Mutant[] = [
  front(
    [
      'world.failed-songs-succeed',
      'a song whose job failed is reported as a success',
      'STATE-006',
      'shows-its-state',
    ],
    inRecords((record) => {
      if (record.status === 'FAILED' && record.duration_sec === undefined) record.status = 'SUCCESS';
    }),
  ),
  front(
    ['world.one-id-for-all', 'all submissions get the same id', 'TASK-010', 'own-id'],
    inSubmitted((submitted) => {
      submitted.task_id = 'task_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    }),
  ),
  source(
    ['world.failed-parents', 'what has failed is continued', 'TASK-006', 'parent-refused'],
    'services/tasks/find-parents.ts',
    "if (task.status !== 'SUCCESS' || ending?.status !== 'SUCCESS')",
    'if (ending === null)',
  ),
  source(
    [
      'world.events-of-first-steps',
      'steps of a task without webhook_url send no event',
      'HOOK-001',
      'sent-at-each-end',
    ],
    'endpoints/tasks/submit.ts',
    'const task = newTask(service, requestId, caller, { request, ancestry, price });',
    `const silent = (globalThis.silent ??= new Set());
    const isLater = ancestry.parents.some((id) => silent.has(id));
    const asked = isLater ? { ...request, webhookUrl: null } : request;
    const task = newTask(service, requestId, caller, { request: asked, ancestry, price });
    if (request.webhookUrl === null) silent.add(task.id);`,
  ),
  // Beside that of a served chat: holds of tasks end elsewhere.
  source(
    ['world.expired-credit-kept', 'a task that expires leaves its price on hold', 'ERR-021', 'still-spends'],
    'services/tasks/charge.ts',
    ...heldAfterIf("ending.status === 'EXPIRED'"),
  ),
  // A second mutant: the hold may depend on how the job was last read.
  source(
    [
      'world.unread-credit-kept',
      'a task that expires after its job could not be read leaves its price on hold',
      'ERR-021',
      'still-spends',
    ],
    'services/tasks/charge.ts',
    ...heldAfterIf("ending.status === 'EXPIRED' && task.pollTries > 0"),
  ),
  source(
    [
      'world.unread-never-ends',
      'a task whose job could not be read last does not expire',
      'STATE-007',
      'ends-unread',
    ],
    'tasks/take-step.ts',
    '  if (parts.clock.now() >= task.deadlineAtMs) return { task, ending: expired };',
    `  if (parts.clock.now() >= task.deadlineAtMs)
    return task.pollTries > 0 ? { task, waitMs: 60_000 } : { task, ending: expired };`,
  ),
  source(
    [
      'world.receiver-written-off',
      'an event that its receiver refused with an error is not sent again',
      'HOOK-004',
      'comes-back',
    ],
    'webhooks/next-attempt.ts',
    "if (failure === 'gone') return",
    "if (failure === 'gone' || failure === 'status') return",
  ),
  source(
    ['world.retries-in-ms', 'a retry states its time in another unit', 'HOOK-008', 'as-first'],
    'webhooks/attempt.ts',
    'headers: signedHeaders(id, wall.now(), body, secrets), body, gone',
    "headers: { ...signedHeaders(id, wall.now(), body, secrets), ...(event.made > 0 && { 'x-service-timestamp': String(wall.now()) }) }, body, gone",
  ),
  // Beside those of a changed account: only tasks that ran for long show from when they are kept.
  source(
    [
      'world.kept-from-submission',
      'a task that failed is kept from its submission on, however long it ran',
      'STATE-012',
      'still-known',
    ],
    'tasks/create-tasks.ts',
    'clock.now() < task.endedAtMs + limits.retention_ms',
    "clock.now() < (task.status === 'FAILED' ? task.submittedAtMs : task.endedAtMs) + limits.retention_ms",
  ),
  source(
    [
      'world.task-of-hidden-model',
      'a task whose model was taken from its account can no longer be read',
      'STATE-012',
      'still-known',
    ],
    'endpoints/tasks/read.ts',
    'const { accountId } = await enter(exchange, access);\n    const task = isTaskId(id) ? await service.tasks.find(accountId, id) : null;',
    `const { accountId, models } = await enter(exchange, access);
    const own = isTaskId(id) ? await service.tasks.find(accountId, id) : null;
    const task = own !== null && models?.includes(own.model) === false ? null : own;`,
  ),
  // A second mutant: a task may be hidden by its model, or by what it continues.
  source(
    [
      'world.step-of-forgotten-task',
      'a step can no longer be read once the task that it continues is forgotten',
      'STATE-012',
      'still-known',
    ],
    'endpoints/tasks/read.ts',
    "    if (task === null) throw new GatewayError('task_not_found');",
    `    for (const parent of task?.parents ?? [])
      if ((await service.tasks.find(accountId, parent)) === null) throw new GatewayError('task_not_found');
    if (task === null) throw new GatewayError('task_not_found');`,
  ),
  source(
    [
      'world.step-of-whole-chain',
      'a song is continued only while all that it came from is kept',
      'SONG-006',
      'kept-parent-taken',
    ],
    'services/tasks/find-parents.ts',
    '  const own = found.map(({ task }) => task.id);',
    `  const own = found.map(({ task }) => task.id);
  for (const { task } of found)
    for (const id of task.model === 'song-v5' ? task.parents : [])
      if ((await service.tasks.find(accountId, id)) === null)
        throw invalidParam('parent_task_id', 'parent_task_id must name a task of a chain that is still kept.');`,
  ),
  // Beside the id of all: a submission may be taken for an earlier one only if it looks the same.
  source(
    [
      'world.step-only-once',
      'a step that was asked for before is answered with the earlier task',
      'TASK-010',
      'own-id',
    ],
    'endpoints/tasks/submit.ts',
    '    await service.tasks.submit(task);',
    `    const steps = ((globalThis as { steps?: Map<string, NewTask> }).steps ??= new Map());
    const step = [accountId, task.model, task.action, task.fields.index, ...task.parents].join();
    const earlier = task.model === 'journey-v7' && task.parents.length > 0 ? steps.get(step) : undefined;
    if (earlier !== undefined) return await sendJson(exchange, submittedView(earlier));
    steps.set(step, task);
    await service.tasks.submit(task);`,
  ),
  // A second mutant: a length may be of another type, or a number that is not whole.
  source(
    ['world.lengths-in-part', 'the length of a song has a fraction', 'TASK-017', 'shape'],
    'upstreams/media/job-outputs.ts',
    'durationSec: secondsIn(given[words.length])',
    "durationSec: words.length === 'durationSec' && typeof given[words.length] === 'number' ? Number(given[words.length]) : secondsIn(given[words.length])",
  ),
  // A second mutant: an event may be lost at the submission of its task, or by a change before its end.
  source(
    [
      'world.event-of-live-key',
      'no event once the key of the submission is disabled',
      'HOOK-001',
      'sent-at-each-end',
    ],
    'services/tasks/task-events.ts',
    'insert: (trx, ended) =>\n      webhooks.insert(\n        trx,\n        ended.flatMap((task) => eventOf(task, linkTo) ?? []),\n      ),',
    `insert: async (trx, ended) => {
      const off = await trx.selectFrom('api_keys').select('id').where('disabled', '=', true).execute();
      const rest = ended.filter(({ keyId }) => !off.some(({ id }) => id === keyId));
      if (rest.length > 0) await webhooks.insert(trx, rest.flatMap((task) => eventOf(task, linkTo) ?? []));
    },`,
  ),
];
