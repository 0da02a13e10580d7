import { invalidParam } from '../errors/gateway-error.ts';
import type { StoreLink } from '../store/store-link.ts';
import { type Hook, hookBody } from './hook.ts';

/** The answer of the store hook: whether the gateway is cut off from its database. */
export interface StoreView {
  readonly stopped: boolean;
}

/** POST /hooks/store: cuts the connection to the database or restores it. Answers when that is done. */
export function switchStore(link: StoreLink): Hook {
  return async (exchange) => {
    const { stopped } = await hookBody(exchange);
    if (typeof stopped !== 'boolean') throw invalidParam('stopped', 'stopped must be true or false.');
    if (stopped) await link.stop();
    else link.start();
    return readStore(link);
  };
}

/** GET /hooks/store: whether the connection is cut. */
export function readStore({ isStopped }: StoreLink): StoreView {
  return { stopped: isStopped };
}
