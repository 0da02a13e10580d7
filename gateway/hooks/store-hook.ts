import { invalidParam } from '../errors/gateway-error.ts';
import type { Siblings } from '../siblings.ts';
import type { StoreLink } from '../store/store-link.ts';
import { type Hook, hookBody } from './hook.ts';

/** The answer of the store hook: whether the gateway is cut off from its database. */
export interface StoreView {
  readonly stopped: boolean;
}

/** POST /hooks/store: cuts the connections of all workers to the database, or restores them. Answers when that is done. */
export function switchStore(link: StoreLink, siblings: Siblings): Hook {
  siblings.answer('store.switch', async (stopped) => {
    if (stopped === true) await link.stop();
    else link.start();
    return null;
  });
  return async (exchange) => {
    const { stopped } = await hookBody(exchange);
    if (typeof stopped !== 'boolean') throw invalidParam('stopped', 'stopped must be true or false.');
    await siblings.ask('store.switch', stopped);
    return readStore(link);
  };
}

/** GET /hooks/store: whether the connection is cut. */
export function readStore({ isStopped }: StoreLink): StoreView {
  return { stopped: isStopped };
}
