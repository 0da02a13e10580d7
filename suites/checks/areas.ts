import { readFileSync } from 'node:fs';
import type { Check } from '../engine/check.ts';
import { modulesOf } from './area-modules.ts';

/** What each check costs (`plan/check-costs.ts`), one a line, by its id. */
export const costsFile = new URL('./check-costs.json', import.meta.url);

/** That table, read once. */
export const costs = JSON.parse(readFileSync(costsFile, 'utf8')) as { readonly checks: object };

/** The ids of all checks, in the order of reports. Waivers and CI lines refer to them, so none may change. */
export const checkIds: readonly string[] = Object.keys(costs.checks);

const places = new Map(checkIds.map((id, place) => [id, place]));

/** The areas in the order of reports. The ids of an area begin with its name, so a run loads only the areas it needs. */
export const areas: readonly string[] = [...new Set(checkIds.map(areaOf))];

/** The name of the area that a check belongs to. */
export function areaOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

/** The checks of an area: each check, and each list of checks, that a file of its folder exports. New ones come last. */
export async function loadArea(area: string): Promise<readonly Check[]> {
  const modules = await modulesOf(area);
  const checks = new Set(modules.flatMap((module) => Object.values(module).flat(2)).filter(isCheck));
  const placeOf = ({ id }: Check): number => places.get(id) ?? places.size;
  return [...checks].sort((one, other) => placeOf(one) - placeOf(other));
}

function isCheck(value: unknown): value is Check {
  return typeof value === 'object' && value !== null && 'requirements' in value && 'run' in value;
}
