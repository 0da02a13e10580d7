import { mediaModels } from '../catalogue/media-models.ts';
import type { Endpoint } from '../http/route.ts';
import { sendJson } from '../http/send-json.ts';
import { availability } from '../services/available-models.ts';
import type { ChatService } from '../services/chat/chat-service.ts';
import { type Access, enter } from './enter.ts';

/** The common list requires a creation time. The catalogue has none, so every model gets the same. */
const createdS = 1_767_225_600;

/**
 * GET /api/v1/models: exactly the ids that the caller can use, of every kind, in the common list format (B-46).
 */
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
