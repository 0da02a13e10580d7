import { GatewayError } from '../../errors/gateway-error.ts';
import type { Endpoint } from '../../http/route.ts';
import { sendJson } from '../../http/send-json.ts';
import { isTaskId } from '../../services/tasks/task-id.ts';
import type { TaskService } from '../../services/tasks/task-service.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { type Access, enter } from '../enter.ts';

export interface ReadDeps {
  readonly access: Access;
  readonly service: Pick<TaskService, 'tasks' | 'linkTo'>;
}

/**
 * GET /api/v1/tasks/{task_id}: the current state of a task of the account. Tasks of other accounts, forgotten tasks and
 * unknown ids all answer the same.
 */
export function readTask({ access, service }: ReadDeps): Endpoint {
  return async (exchange, { task_id: id = '' }) => {
    const { accountId } = await enter(exchange, access);
    const task = isTaskId(id) ? await service.tasks.find(accountId, id) : null;
    if (task === null) throw new GatewayError('task_not_found');
    await sendJson(exchange, taskView(task, service.linkTo));
  };
}
