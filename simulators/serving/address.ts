import { defaultChannel, defaultTenant, isTenantName, isVersionSegment } from '../control/tenant-name.ts';

/**
 * The parsed URL: `/{tenant}/{channel}/v1/...`, or `/v1/...` for the default tenant and channel; also with `v1beta`.
 */
export interface Address {
  readonly tenant: string;
  readonly channel: string;
  /** The native path, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export function parseAddress(target: string): Address {
  const [path = ''] = target.split('?', 1);
  const query = new URLSearchParams(target.slice(path.length));
  const [, first = '', second = '', third = ''] = path.split('/', 4);
  if (!isVersionSegment(first) && isTenantName(first) && second !== '' && isVersionSegment(third)) {
    return { tenant: first, channel: second, path: path.slice(first.length + second.length + 2), query };
  }
  return { tenant: defaultTenant, channel: defaultChannel, path, query };
}
