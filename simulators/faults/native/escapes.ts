/** Cuts a JSON text inside each of its escapes: after the backslash, and within the four digits. */
export function cutInsideEscapes(json: string): string[] {
  const offsets = [...json.matchAll(/\\(?:u[0-9a-f]{4}|.)/gi)].flatMap(({ index, 0: escaped }) =>
    escaped.length > 2 ? [index + 1, index + 4] : [index + 1],
  );
  const bounds = [0, ...offsets, json.length];
  return bounds.slice(1).map((to, at) => json.slice(bounds[at], to));
}
