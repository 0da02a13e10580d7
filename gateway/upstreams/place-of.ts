/** The parts of a URL that a client of an upstream asks for. */
export interface Place {
  readonly origin: string;
  readonly path: string;
}

/** Far more than a configuration has upstreams and models. */
const most = 1_000;
const known = new Map<string, Place>();

/** The place of a URL. `isOften`: one of the configuration, which is worth keeping; others can hold secrets of a file. */
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
