import { request } from 'undici';
import type { Profile } from '../targets/profile.ts';
import { type Exchange, header } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import { Untestable } from './violation.ts';

/** What a deployment bills one request by, as its usage hook shows it (fixtures/schemas/hooks/usage.json). */
export interface UsageRecord {
  readonly request_id: string;
  readonly model_requested: string;
  readonly model_served: string;
  readonly outcome: string;
  readonly stream: boolean;
  readonly attempts: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly usage_known: boolean;
}

/**
 * The records of the request that an exchange was; there is none where nothing is billed.
 * @throws Untestable without the hook.
 * @throws Error when the hook does not answer as it should, or the exchange has no id: a fault of the deployment's making,
 * not of a rule.
 */
export async function usageRecordsOf(
  exchange: Exchange,
  { hooks }: Pick<Profile, 'hooks'>,
): Promise<UsageRecord[]> {
  const hook = hooks.usage;
  if (hook === undefined) throw new Untestable('hooks.usage');
  const id = header(exchange, 'x-request-id');
  if (id === null) throw new Error('the usage hook needs the id of a request, and the answer has none');
  const answer = await request(`${hook.url}?request_id=${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${hook.token}` },
  });
  const body: unknown = await answer.body.json().catch(() => null);
  const fault = shapeFault('hooks/usage', body);
  if (answer.statusCode !== 200 || fault !== null) {
    const what = fault === null ? '' : `, ${fault.path} ${fault.reason}`;
    throw new Error(`the usage hook answered HTTP ${answer.statusCode}${what}`);
  }
  return (body as { records: UsageRecord[] }).records;
}
