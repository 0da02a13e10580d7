import { mediaModels } from '../catalogue/media-models.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/send-json.ts';
import { availability } from '../services/available-models.ts';
import type { Gateway } from '../services/gateway.ts';
import { enter } from './enter.ts';

/** The common list asks for a time of birth; the catalogue's own is the same for every model. */
const CREATED_S = 1_767_225_600;

/** GET /api/v1/models: exactly the ids that work for the caller, of every kind, in the common list shape (B-46). */
export async function listModels(exchange: Exchange, gateway: Gateway): Promise<void> {
  const caller = await enter(exchange, gateway);
  const models = [...gateway.catalogue.values(), ...mediaModels.values()];
  const data = models
    .filter(availability(caller, gateway))
    .map(({ id }) => ({ id, object: 'model', created: CREATED_S, owned_by: 'gateway' }));
  await sendJson(exchange, { object: 'list', data }, gateway.clock);
}
