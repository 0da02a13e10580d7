import { mediaModels } from '../catalogue/media-models.ts';
import type { Endpoint } from '../http/route.ts';
import { sendJson } from '../http/send-json.ts';
import { findModel } from '../requests/find-model.ts';
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
    const data = models.filter(availability(caller, service)).map(shown);
    await sendJson(exchange, { object: 'list', data });
  };
}

/** GET /api/v1/models/{id}: one of the list. An extension, which `extensions` of the configuration switches on. */
export function showModel(access: Access, service: Pick<ChatService, 'catalogue' | 'channels'>): Endpoint {
  return async (exchange, { model = '' }) => {
    const caller = await enter(exchange, access);
    const models = new Map<string, { readonly id: string }>([...service.catalogue, ...mediaModels]);
    await sendJson(exchange, shown(findModel(model, models, availability(caller, service))));
  };
}

function shown({ id }: { readonly id: string }): object {
  return { id, object: 'model', created: createdS, owned_by: 'gateway' };
}
