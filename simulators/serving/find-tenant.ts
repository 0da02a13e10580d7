import type { IncomingMessage } from 'node:http';
import { defaultTenant } from '../control/tenant-name.ts';
import { type BodyEnd, readBody } from '../http/read-body.ts';
import { RequestFacts, type RequestHead } from '../requests/request-facts.ts';
import type { TenantRules } from '../state/tenant-rules.ts';
import { type Address, parseAddress } from './address.ts';

/** Where a request belongs. */
export interface TenantMatch {
  readonly tenant: string;
  readonly channel: string;
  readonly address: Address;
  /** The body, when it had to be read to tell. */
  readonly preRead: PreReadBody | null;
}

export interface PreReadBody {
  readonly chunks: readonly Buffer[];
  readonly end: BodyEnd;
}

/**
 * The tenant of a request: that of its address, or that of the first rule that holds for it. Its body is read only
 * when a rule has to look into it; a request whose body does not arrive whole then belongs to no rule.
 */
export async function findTenant(
  request: IncomingMessage,
  headers: RequestHead['headers'],
  rules: TenantRules,
): Promise<TenantMatch> {
  const target = request.url ?? '/';
  const [path = ''] = target.split('?', 1);
  const prefix = rules.prefixOf(path);
  const address = addressAfter(prefix, target);
  const match = (tenant: string, channel: string | null, preRead: PreReadBody | null): TenantMatch => ({
    tenant,
    channel: channel ?? address.channel,
    address,
    preRead,
  });
  if (prefix === '' && address.tenant !== defaultTenant) return match(address.tenant, null, null);
  const head = { target, path: address.path, query: address.query, headers };
  const ruled = rules.find(head, prefix, null);
  if (ruled !== 'undecided') return match(ruled?.tenant ?? defaultTenant, ruled?.channel ?? null, null);
  const chunks: Buffer[] = [];
  const end = await readBody(request, (chunk) => chunks.push(chunk));
  const facts = end === 'whole' ? new RequestFacts(head, address.channel, Buffer.concat(chunks)) : null;
  const found = facts === null ? null : rules.find(head, prefix, facts);
  if (found === null || found === 'undecided') return match(defaultTenant, null, { chunks, end });
  return match(found.tenant, found.channel, { chunks, end });
}

/** What is left of the target after a path that a rule takes away: `/v1/...`, or `/{channel}/v1/...`. */
function addressAfter(prefix: string, target: string): Address {
  const rest = target.slice(prefix.length);
  return parseAddress(prefix === '' || /^\/v\d/.test(rest) ? rest : `/${defaultTenant}${rest}`);
}
