import type { IncomingMessage } from 'node:http';
import { defaultTenant } from '../control/tenant-name.ts';
import { type BodyEnd, readBody } from '../http/read-body.ts';
import { RequestFacts, type RequestHead } from '../requests/request-facts.ts';
import type { RuleMatch, TenantRules } from '../state/tenant-rules.ts';
import { type Address, parseAddress } from './address.ts';

/** The tenant that a request belongs to. */
export interface TenantMatch {
  readonly tenant: string;
  readonly channel: string;
  readonly address: Address;
  /** The body, when it had to be read to find the tenant. */
  readonly preRead: PreReadBody | null;
}

export interface PreReadBody {
  readonly chunks: readonly Buffer[];
  readonly end: BodyEnd;
}

/**
 * Finds the tenant of a request: from its address, or from the first rule that matches it. The body is read only
 * when a rule needs it. A request whose body then does not arrive completely matches no rule.
 */
export function findTenant(
  request: IncomingMessage,
  headers: RequestHead['headers'],
  rules: TenantRules,
): TenantMatch | Promise<TenantMatch> {
  const target = request.url ?? '/';
  const [path = ''] = target.split('?', 1);
  const prefix = rules.prefixOf(path);
  const address = addressAfter(prefix, target);
  if (prefix === '' && address.tenant !== defaultTenant) {
    return { tenant: address.tenant, channel: address.channel, address, preRead: null };
  }
  const head = { target, path: address.path, query: address.query, headers };
  const ruled = rules.find(head, prefix, null);
  if (ruled !== 'undecided') return matchOf(ruled, address, null);
  return readBodyFirst(request, (preRead, body) => {
    const facts = body === null ? null : new RequestFacts(head, address.channel, body);
    const found = facts === null ? null : rules.find(head, prefix, facts);
    return matchOf(found === 'undecided' ? null : found, address, preRead);
  });
}

function matchOf(ruled: RuleMatch | null, address: Address, preRead: PreReadBody | null): TenantMatch {
  const { tenant = defaultTenant, channel = null } = ruled ?? {};
  return { tenant, channel: channel ?? address.channel, address, preRead };
}

/** `decide` gets null for a body that did not arrive completely. */
async function readBodyFirst(
  request: IncomingMessage,
  decide: (preRead: PreReadBody, body: Buffer | null) => TenantMatch,
): Promise<TenantMatch> {
  const chunks: Buffer[] = [];
  const end = await readBody(request, (chunk) => chunks.push(chunk));
  return decide({ chunks, end }, end === 'whole' ? Buffer.concat(chunks) : null);
}

/** Parses the target after the prefix that a rule removes: `/v1/...`, or `/{channel}/v1/...`. */
function addressAfter(prefix: string, target: string): Address {
  const rest = target.slice(prefix.length);
  return parseAddress(prefix === '' || /^\/v\d/.test(rest) ? rest : `/${defaultTenant}${rest}`);
}
