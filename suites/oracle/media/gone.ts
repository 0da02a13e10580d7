import { type Exchange, errorCodeOf } from '../../wire/exchange.ts';

/**
 * Whether a read was answered as for an unknown task, which is allowed once a task has expired (reading B-66).
 */
export function isGone(exchange: Exchange): boolean {
  return exchange.response?.status === 404 && errorCodeOf(exchange) === 'task_not_found';
}
