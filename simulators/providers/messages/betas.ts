import { invalidRequest, type NativeError } from './errors.ts';

/** Members that exist only for a request that declares a beta, by how the beta's name begins. */
const members: ReadonlyMap<string, readonly string[]> = new Map([
  ['billing_policy', ['user-profiles-billing-']],
  ['compaction', ['compact-']],
  ['context_management', ['context-management-', 'compact-']],
  ['fallback_credit_token', ['fallback-credit-']],
  ['fallbacks', ['server-side-fallback-']],
  ['mcp_servers', ['mcp-client-']],
  ['output_format', ['structured-outputs-']],
  ['thread', ['message-threads-']],
]);

/** The first member of a body that needs a beta which `anthropic-beta` does not name. */
export function findUndeclaredBeta(body: object, header: string | undefined): NativeError | null {
  const declared = (header ?? '').split(',').map((name) => name.trim());
  const undeclared = Object.keys(body).find((member) => {
    const needed = members.get(member);
    return needed !== undefined && !declared.some((name) => needed.some((beta) => name.startsWith(beta)));
  });
  return undeclared === undefined ? null : invalidRequest(`${undeclared}: Extra inputs are not permitted`);
}
