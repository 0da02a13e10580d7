/** The origin and path of a URL, as an upstream client needs them. */
export interface Place {
  readonly origin: string;
  readonly path: string;
}

/** Far more entries than a configuration has upstreams and models. */
const most = 1_000;
const known = new Map<string, Place>();

/** Splits a URL. `isOften` marks URLs of the configuration, which are cached; other URLs can contain secrets of a file. */
export function placeOf(url: string, isOften: boolean): Place {
  const found = known.get(url);
  if (found !== undefined) return found;
  const { origin, pathname, search } = new URL(url);
  const place = { origin, path: `${pathname}${search}` };
  if (!isOften) return place;
  if (known.size >= most) known.clear();
  known.set(url, place);
  return place;
}
