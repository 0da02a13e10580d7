import { checkLoaders } from './areas.ts';

/** The checks of each area, in the order in which reports show them. */
export const checksByArea = Object.fromEntries(
  await Promise.all(Object.entries(checkLoaders).map(async ([area, load]) => [area, await load()] as const)),
);

/** Every check there is. */
export const allChecks = Object.values(checksByArea).flat();
