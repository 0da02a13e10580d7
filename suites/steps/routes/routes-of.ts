import type { Target } from '../../engine/parts/target.ts';
import { type CoreRoute, coreRoutes, imagesRoute, readRoute, submitRoute } from '../../oracle/core-routes.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';

/** The core routes of a deployment. Those for images and tasks are included where it has a model for them. */
export function routesOf(target: Target): readonly CoreRoute[] {
  const serves = (endpoint: MediaModel['endpoint']): boolean =>
    target.mediaModels.some((id) => mediaModel(id)?.endpoint === endpoint);
  return [
    ...coreRoutes,
    ...(serves('images') ? [imagesRoute] : []),
    ...(serves('tasks') ? [submitRoute, readRoute] : []),
  ];
}

/** Models of an endpoint that can be called with what the deployment declares. */
export function mediaIdsOf(target: Target, endpoint: MediaModel['endpoint']): readonly string[] {
  return target.mediaModels.filter((id) => mediaModel(id)?.endpoint === endpoint && target.canFill(id));
}
