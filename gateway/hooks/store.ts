import type { Exchange } from '../http/exchange.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { readBody } from '../http/read-body.ts';
import type { Gateway } from '../services/gateway.ts';
import { answerHook, enterHook } from './enter-hook.ts';
import { readStore, type StoreView, switchStore } from './store-hook.ts';

/** GET and POST /hooks/store: shows or cuts the way to the database of a gateway that was started for tests. */
export async function storeHook(exchange: Exchange, gateway: Gateway): Promise<void> {
  const { link } = enterHook(exchange, gateway.storeHook);
  const { limits, clock } = gateway;
  const view: StoreView =
    exchange.incoming.method === 'GET'
      ? readStore(link)
      : await switchStore(link, parseJsonObject(await readBody(exchange, limits, clock)).value);
  await answerHook(exchange, gateway, view);
}
