import type { Mutant } from '../../../mutation/mutant.ts';
import { source } from '../../../mutation/mutant.ts';

const available = 'const isAvailable = availability(caller, service);';

/** Gateways that are wrong about the image and task models of an account. */
export const mediaEnabledMutants: readonly Mutant[] = [
  source(
    ['ep.images-any-model', 'images are made with models that are not enabled', 'EP-012', 'media-not-usable'],
    'endpoints/images/images.ts',
    "one.served === 'images' && isAvailable(one)",
    "one.served === 'images'",
  ),
  source(
    ['ep.tasks-any-model', 'tasks are taken for models that are not enabled', 'EP-012', 'media-not-usable'],
    'endpoints/tasks/submit.ts',
    "one.served === 'tasks' && isAvailable(one)",
    "one.served === 'tasks'",
  ),
  source(
    ['ep.media-all-listed', 'every media model is listed', 'EP-012', 'media-not-listed'],
    'endpoints/models.ts',
    '.filter(availability(caller, service))',
    '.filter((one) => mediaModels.has(one.id) || availability(caller, service)(one))',
  ),
  source(
    [
      'ep.media-enabled-late',
      'models enabled later are not there for images',
      'EP-012',
      'media-enabled-again',
    ],
    'endpoints/images/images.ts',
    available,
    `globalThis.firstModels ??= new Map();
  if (!globalThis.firstModels.has(caller.keyId)) globalThis.firstModels.set(caller.keyId, caller.models);
  const isAvailable = availability({ ...caller, models: globalThis.firstModels.get(caller.keyId) }, service);`,
  ),
];
