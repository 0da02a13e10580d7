import { defaultChannel, defaultTenant, isNativeStart, isTenantName } from '../control/tenant-name.ts';

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

const noQuery = new URLSearchParams();

export function parseAddress(target: string): Address {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? noQuery : new URLSearchParams(target.slice(mark));
  const [, first = '', second = '', third = ''] = path.split('/', 4);
  if (
    !isNativeStart(first) &&
    isTenantName(first) &&
    second !== '' &&
    !isNativeStart(second) &&
    isNativeStart(third)
  ) {
    return { tenant: first, channel: second, path: path.slice(first.length + second.length + 2), query };
  }
  return { tenant: defaultTenant, channel: defaultChannel, path, query };
}
