import { setTimeout as wait } from 'node:timers/promises';
import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { type Exchange, isSuccess } from '../wire/exchange.ts';
import { callHook } from './call-hook.ts';
import { recordedUnder } from './request-id.ts';
import { postedWithinMs } from './served-calls.ts';

/**
 * The record by which a deployment bills one request, as its usage hook shows it
 * (fixtures/schemas/hooks/usage.json).
 */
export interface UsageRecord {
  readonly request_id: string;
  /** The app of the request's key, where the hook shows it. */
  readonly app_id?: string | null;
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
  /** The charge as a decimal text in dollars, where the hook reports it. */
  readonly charge?: string;
  /**
   * What is billed on a model that is not paid by the token: the units, the task that made them, and its parent
   * tasks.
   */
  readonly units?: number;
  readonly unit?: 'image' | 'second' | 'task' | null;
  readonly task_id?: string | null;
  readonly parents?: readonly string[] | null;
  /** The request's own `user` and `metadata`, where the hook shows them. */
  readonly end_user?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** The time between two polls for a record, ms. */
const pollMs = 50;

/**
 * The usage records of the request of an exchange; none where nothing is billed. Records may be posted a while after the
 * answer, so this waits for those of a served request.
 * @throws Untestable without the hook, or when the answer does not name its request.
 * @throws Error when the hook answers wrongly. That is a fault of the deployment's set-up, not a broken rule.
 */
export async function usageRecordsOf(
  exchange: Exchange,
  { hooks, http }: Pick<Profile, 'hooks' | 'http'>,
): Promise<UsageRecord[]> {
  if (hooks.usage === undefined) throw new Untestable('hooks.usage');
  const isServed = isSuccess(exchange);
  const until = performance.now() + (isServed ? postedWithinMs : 0);
  for (;;) {
    const records = await recordedUnder(
      exchange,
      { http },
      {
        read: (id) => usageRecordsWhere({ request_id: id }, { hooks }),
        isFound: ({ length }) => length > 0,
      },
    );
    if (records.length > 0 || performance.now() >= until) return records;
    await wait(pollMs);
  }
}

/**
 * The usage records that match all of these conditions, newest first and limited in number: by `end_user` or
 * `metadata.<key>`.
 * @throws Untestable without the hook.
 * @throws Error when the hook answers wrongly.
 */
export async function usageRecordsWhere(
  query: Readonly<Record<string, string>>,
  { hooks }: Pick<Profile, 'hooks'>,
): Promise<UsageRecord[]> {
  const hook = hooks.usage;
  if (hook === undefined) throw new Untestable('hooks.usage');
  const text = await callHook({
    name: 'usage',
    url: `${hook.url}?${new URLSearchParams(query)}`,
    token: hook.token,
    shape: 'hooks/usage',
  });
  return (JSON.parse(text) as { records: UsageRecord[] }).records;
}
