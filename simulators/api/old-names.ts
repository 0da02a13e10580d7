import { isObject } from '../json/json-body.ts';

/** Names of the control API before this version, which it still takes: in paths, and of members in calls by such paths. */
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

/** The path of a target in the names of today. */
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

/** The body of a call by an old path. */
export function inNewNames(value: unknown): unknown {
  return renamed(value, members);
}

/** The answer to such a call: a tenant is the scope of a rule, and the lane of a request. */
export function inOldNames(value: unknown, path: string): unknown {
  const tenant = path.startsWith('/tenant-rules') ? 'scope' : 'lane';
  return renamed(value, { faults: 'arms', tenant, rules: 'scopes' });
}

/** Only at the top, and in the lists that stand there: replies and bodies below are the caller's own. */
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
