import { GatewayError, invalidParam } from '../errors/gateway-error.ts';

/**
 * Finds the model that a request names, exactly as written, among those of its endpoint. The error is the same for
 * an unknown model, one not enabled for the account and one without a channel (B-47). It is also the same for a
 * model of another endpoint (B-31).
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
