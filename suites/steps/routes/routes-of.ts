import type { Target } from '../../engine/parts/target.ts';
import { type CoreRoute, coreRoutes, imagesRoute, readRoute, submitRoute } from '../../oracle/core-routes.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';

/** The core routes of a deployment. Those for images and tasks are included where it has a model for them. */
export function routesOf(target: Target): readonly CoreRoute[] {
  const serves = (endpoint: MediaModel['endpoint']): boolean => silentModels(target, endpoint).length > 0;
  return [
    ...coreRoutes,
    ...(serves('images') ? [imagesRoute] : []),
    ...(serves('tasks') ? [submitRoute, readRoute] : []),
  ];
}

/** Models of an endpoint that need only a text, or a URL where the upstreams are simulated, which fetch nothing. */
export function mediaIdsOf(target: Target, endpoint: MediaModel['endpoint']): readonly string[] {
  const models = silentModels(target, endpoint);
  if (target.profile.upstream !== undefined) return models;
  return models.filter((id) => fieldsOf(id).every(({ required, name }) => !required || name === 'prompt'));
}

/** Only the deployment knows which voices it has. */
function silentModels(target: Target, endpoint: MediaModel['endpoint']): readonly string[] {
  return target.mediaModels.filter((id) => mediaModel(id)?.endpoint === endpoint && id !== 'voice-v3');
}
