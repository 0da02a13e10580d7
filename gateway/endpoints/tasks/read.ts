import { GatewayError } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import { sendJson } from '../../http/send-json.ts';
import type { Gateway } from '../../services/gateway.ts';
import { isTaskId } from '../../services/tasks/task-id.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { enter } from '../enter.ts';

export const TASKS_PATH = '/api/v1/tasks';

/**
 * GET /api/v1/tasks/{task_id}: a task of the account, as it stands. One that is another account's, forgotten or never was
 * is the same to the caller.
 */
export async function readTask(exchange: Exchange, gateway: Gateway): Promise<void> {
  const { accountId } = await enter(exchange, gateway);
  const id = exchange.path.slice(TASKS_PATH.length + 1);
  const task = isTaskId(id) ? await gateway.tasks.find(accountId, id) : null;
  if (task === null) throw new GatewayError('task_not_found');
  await sendJson(exchange, taskView(task, gateway.linkTo), gateway.clock);
}
