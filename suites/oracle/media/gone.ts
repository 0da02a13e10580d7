import { type Exchange, jsonOf } from '../../wire/exchange.ts';

/**
 * Whether a read was answered as for an unknown task, which is allowed once a task has expired (reading B-66).
 */
export function isGone(exchange: Exchange): boolean {
  const { code } = (jsonOf(exchange) as { error?: { code?: unknown } } | undefined)?.error ?? {};
  return exchange.response?.status === 404 && code === 'task_not_found';
}
