import { GatewayError, invalidParam } from '../errors/gateway-error.ts';

/**
 * The model that a request names, exactly as written, among those of its endpoint. One that is not enabled for the
 * account, or that no channel serves, is answered like one that does not exist (B-47), and so is one of another endpoint
 * (B-31).
 */
export function findModel<Model>(
  name: unknown,
  models: ReadonlyMap<string, Model>,
  isAvailable: (model: Model) => boolean,
): Model {
  if (name === undefined || name === null || name === '') throw invalidParam('model', 'model is required.');
  if (typeof name !== 'string') throw invalidParam('model', 'model must be a string.');
  const model = models.get(name);
  if (model === undefined || !isAvailable(model))
    throw new GatewayError('model_not_found', { param: 'model' });
  return model;
}
