import { isObject } from '../json/json-body.ts';

/** Former names of the control API, which it still accepts: in paths, and as members in calls by such paths. */
const members = {
  arms: 'faults',
  lane: 'tenant',
  lanes: 'tenants',
  scope: 'tenant',
  scopes: 'rules',
} as const;
const segments: Readonly<Record<string, string>> = {
  lanes: 'tenants',
  arms: 'faults',
  scopes: 'tenant-rules',
};

/** Translates the path of a target into the current names. */
export function withNewPath(target: string): {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isOld: boolean;
} {
  const { pathname, searchParams: query } = new URL(target, 'http://control');
  const [, first = '', second, third, ...rest] = pathname.split('/');
  const isOld = first === 'lanes' || first === 'scopes';
  const parts = [
    segments[first] ?? first,
    second,
    third === undefined ? undefined : (segments[third] ?? third),
    ...rest,
  ];
  const path = isOld ? `/${parts.filter((part) => part !== undefined).join('/')}` : pathname;
  return { path, query, isOld };
}

/** Translates the body of a call that uses an old path. */
export function inNewNames(value: unknown): unknown {
  return renamed(value, members);
}

/** Translates the answer to such a call. A tenant becomes `scope` for rules and `lane` for requests. */
export function inOldNames(value: unknown, path: string): unknown {
  const tenant = path.startsWith('/tenant-rules') ? 'scope' : 'lane';
  return renamed(value, { faults: 'arms', tenant, rules: 'scopes' });
}

/** Renames members at the top and in lists there. Replies and bodies further down belong to the caller. */
function renamed(value: unknown, names: Readonly<Record<string, string>>, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names, depth));
  if (!isObject(value) || depth > 1) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      names[name] ?? name,
      Array.isArray(inner) ? renamed(inner, names, depth + 1) : inner,
    ]),
  );
}
