/**
 * The model that a request names. A deployment's name is the model and its location, as in `kx-max-1@eu`; the location is
 * removed.
 */
export function modelOf(name: string): string {
  return name.replace(/@[a-z0-9-]+$/, '');
}
