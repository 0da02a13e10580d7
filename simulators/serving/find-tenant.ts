import { defaultChannel, defaultTenant, isNativeStart, isTenantName } from '../control/tenant-name.ts';
import { type CollectedBody, collectBody, type Incoming } from '../http/read-body.ts';
import type { SentHeaders } from '../http/sent-headers.ts';
import { RequestFacts, type RequestHead } from '../requests/request-facts.ts';
import type { RuleMatch, TenantRules } from '../state/tenant-rules.ts';

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

/** The tenant that a request belongs to. */
export interface TenantMatch {
  readonly tenant: string;
  readonly channel: string;
  /** Its path without tenant and channel. */
  readonly head: RequestHead;
  /** The body, when it had to be read to find the tenant. */
  readonly preRead: CollectedBody | null;
}

/**
 * Finds the tenant of a request: from its URL, or from the first rule that matches it. The body is read only if a rule needs
 * it. If it then does not arrive completely, the request matches no rule.
 */
export function findTenant(
  request: Incoming,
  headers: SentHeaders,
  rules: TenantRules,
): TenantMatch | Promise<TenantMatch> {
  const target = request.url ?? '/';
  const prefix = rules.prefixOf(target);
  const address = addressAfter(prefix, target);
  const head = new SentHead(target, address, headers);
  if (prefix === '' && address.tenant !== defaultTenant) {
    return { tenant: address.tenant, channel: address.channel, head, preRead: null };
  }
  const ruled = rules.find(head, prefix, null);
  if (ruled !== 'undecided') return matchOf(ruled, address, head, null);
  return readBodyFirst(request, (preRead, body) => {
    const facts = body === null ? null : new RequestFacts(head, address.channel, body);
    const found = facts === null ? null : rules.find(head, prefix, facts);
    return matchOf(found === 'undecided' ? null : found, address, head, preRead);
  });
}

function matchOf(
  ruled: RuleMatch | null,
  address: Address,
  head: RequestHead,
  preRead: CollectedBody | null,
): TenantMatch {
  const { tenant = defaultTenant, channel = null } = ruled ?? {};
  return { tenant, channel: channel ?? address.channel, head, preRead };
}

/** Parses the header pairs only when a rule compares them. */
class SentHead implements RequestHead {
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly #headers: SentHeaders;

  constructor(target: string, { path, query }: Address, headers: SentHeaders) {
    this.target = target;
    this.path = path;
    this.query = query;
    this.#headers = headers;
  }

  get headers(): RequestHead['headers'] {
    return this.#headers.pairs;
  }
}

/** `decide` gets null for a body that did not arrive completely. */
async function readBodyFirst(
  request: Incoming,
  decide: (preRead: CollectedBody, body: Buffer | null) => TenantMatch,
): Promise<TenantMatch> {
  const read = await collectBody(request);
  return decide(read, read.end === 'whole' ? Buffer.concat(read.chunks) : null);
}

/** Parses the target after the prefix that a rule removes: `/v1/...`, or `/{channel}/v1/...`. */
function addressAfter(prefix: string, target: string): Address {
  const rest = target.slice(prefix.length);
  return parseAddress(prefix === '' || /^\/v\d/.test(rest) ? rest : `/${defaultTenant}${rest}`);
}
