import type { Catalogue, ChatModel } from '../catalogue/chat-models.ts';
import { GatewayError, invalidParam } from '../errors/gateway-error.ts';

/**
 * The model that a request names, exactly as written. A model that is not enabled for the account, or that no channel
 * serves, is answered like one that does not exist (B-47).
 */
export function findModel(
  name: unknown,
  catalogue: Catalogue,
  isAvailable: (model: ChatModel) => boolean,
): ChatModel {
  if (name === undefined || name === null || name === '') throw invalidParam('model', 'model is required.');
  if (typeof name !== 'string') throw invalidParam('model', 'model must be a string.');
  const model = catalogue.get(name);
  if (model === undefined || !isAvailable(model))
    throw new GatewayError('model_not_found', { param: 'model' });
  return model;
}
