import { invalidParam } from '../errors/gateway-error.ts';
import type { StoreLink } from '../store/store-link.ts';
import { type Hook, hookBody } from './hook.ts';

/** Answer of the store hook: whether the gateway's database is out of its reach. */
export interface StoreView {
  readonly stopped: boolean;
}

/** POST /hooks/store: puts the database out of reach, or back into it; answers when it is so. */
export function switchStore(link: StoreLink): Hook {
  return async (exchange) => {
    const { stopped } = await hookBody(exchange);
    if (typeof stopped !== 'boolean') throw invalidParam('stopped', 'stopped must be true or false.');
    if (stopped) await link.stop();
    else link.start();
    return readStore(link);
  };
}

/** GET /hooks/store. */
export function readStore({ isStopped }: StoreLink): StoreView {
  return { stopped: isStopped };
}
