import { areas, loadArea } from './areas.ts';

/** The checks of each area, in the order in which reports show them. */
export const checksByArea = Object.fromEntries(
  await Promise.all(areas.map(async (area) => [area, await loadArea(area)] as const)),
);

/** All checks of all areas. */
export const allChecks = Object.values(checksByArea).flat();
