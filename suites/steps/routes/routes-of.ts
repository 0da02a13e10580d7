import type { Target } from '../../engine/parts/target.ts';
import { type CoreRoute, coreRoutes, imagesRoute, readRoute, submitRoute } from '../../oracle/core-routes.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';

/** The core routes that a deployment has: those for pictures and tasks where it has a model for them. */
export function routesOf(target: Target): readonly CoreRoute[] {
  const serves = (endpoint: MediaModel['endpoint']): boolean => mediaIdsOf(target, endpoint).length > 0;
  return [
    ...coreRoutes,
    ...(serves('images') ? [imagesRoute] : []),
    ...(serves('tasks') ? [submitRoute, readRoute] : []),
  ];
}

/** Models of an endpoint that can be asked for with nothing but a text or an address. */
export function mediaIdsOf(target: Target, endpoint: MediaModel['endpoint']): readonly string[] {
  // Only the deployment knows its voices.
  return target.mediaModels.filter((id) => mediaModel(id)?.endpoint === endpoint && id !== 'voice-v3');
}
