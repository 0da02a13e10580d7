/**
 * The model that a request names. An upstream may have deployments of one model, each with a name of its own: that of
 * the model, and behind it where it stands, as in `kx-max-1@eu`.
 */
export function modelOf(name: string): string {
  return name.replace(/@[a-z0-9-]+$/, '');
}
