import { invalidParam } from '../errors/gateway-error.ts';
import type { JsonObject } from '../http/parse-json.ts';
import type { StoreLink } from '../store/store-link.ts';

/** Answer of the store hook: whether the gateway's database is out of its reach. */
export interface StoreView {
  readonly stopped: boolean;
}

/** Puts the database out of reach, or back into it; resolves when it is so. */
export async function switchStore(link: StoreLink, body: JsonObject): Promise<StoreView> {
  const { stopped } = body;
  if (typeof stopped !== 'boolean') throw invalidParam('stopped', 'stopped must be true or false.');
  if (stopped) await link.stop();
  else link.start();
  return readStore(link);
}

export function readStore({ isStopped }: StoreLink): StoreView {
  return { stopped: isStopped };
}
