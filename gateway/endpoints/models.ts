import { mediaModels } from '../catalogue/media-models.ts';
import type { Endpoint } from '../http/route.ts';
import { sendJson } from '../http/send-json.ts';
import { availability } from '../services/available-models.ts';
import type { ChatService } from '../services/chat/chat-service.ts';
import { type Access, enter } from './enter.ts';

/** The common list asks for a time of birth; the catalogue's own is the same for every model. */
const createdS = 1_767_225_600;

/** GET /api/v1/models: exactly the ids that work for the caller, of every kind, in the common list shape (B-46). */
export function listModels(access: Access, service: Pick<ChatService, 'catalogue' | 'channels'>): Endpoint {
  return async (exchange) => {
    const caller = await enter(exchange, access);
    const models = [...service.catalogue.values(), ...mediaModels.values()];
    const data = models
      .filter(availability(caller, service))
      .map(({ id }) => ({ id, object: 'model', created: createdS, owned_by: 'gateway' }));
    await sendJson(exchange, { object: 'list', data });
  };
}
