import type { Caller } from '../../access/caller.ts';
import type { Allowance } from '../../billing/hold-allowance.ts';
import { chargeFor } from '../../billing/price.ts';
import { maxEndUserLength, type UsageRecord } from '../../billing/usage-record.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { markupOf } from '../../money/strategy.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import type { Usage, UsageDoubt } from '../../upstreams/outcome.ts';
import type { ChatService } from './chat-service.ts';
import type { Dispatched } from './dispatch.ts';

/** A dispatched chat request, with everything that its answer and its usage record need. */
export interface ChatJob {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly service: ChatService;
  readonly caller: Caller;
  /** As the caller sent it. */
  readonly request: ChatRequest;
  readonly result: Dispatched;
  readonly allowance: Allowance;
}

/**
 * Charges a request and makes its usage durable. Must be awaited before the answer ends. Rejects if it cannot be
 * stored. `usage` is what the caller pays for: null for a request that failed before its caller got anything.
 */
export function recordUsage(
  job: ChatJob,
  outcome: 'success' | 'client_gone' | ErrorCode,
  usage: Usage | null,
): Promise<void> {
  const { service, caller, request, result, allowance } = job;
  const served = result.served.model.id;
  const markupBp = markupOf(caller.pricing, served);
  const price = service.prices.of(served);
  const doubts = usage === null && outcome === 'success' ? ['missing' as const] : (usage?.doubts ?? []);
  const record: UsageRecord = {
    request_id: job.requestId,
    account_id: caller.accountId,
    user_id: caller.userId,
    app_id: caller.appId,
    key_id: caller.keyId,
    model_requested: request.model.id,
    model_served: served,
    channel_id: result.channelId,
    outcome,
    stream: request.stream,
    attempts: result.attempts,
    prompt_tokens: BigInt(usage?.promptTokens ?? 0),
    completion_tokens: BigInt(usage?.completionTokens ?? 0),
    cached_tokens: BigInt(usage?.cachedTokens ?? 0),
    cache_write_5m_tokens: BigInt(usage?.cacheWrite5mTokens ?? 0),
    cache_write_1h_tokens: BigInt(usage?.cacheWrite1hTokens ?? 0),
    usage_known: usage !== null,
    units: null,
    unit: null,
    task_id: null,
    end_user: request.fields.user?.slice(0, maxEndUserLength) ?? null,
    metadata: request.tags === null ? null : { ...request.tags },
    charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp),
    price: { ...price, markupBp, ...(doubts.length > 0 && { doubts }) },
    parents: [],
    started_at_ms: job.startedAtMs,
    ended_at_ms: service.clock.now(),
  };
  warnOfUsage(job, doubts);
  return allowance.settle(record);
}

/** Longer finish reasons of an upstream are cut in the log. */
const longestWord = 64;

/** Logs and counts an unknown finish reason, which may mean something that an operator should know. */
export function warnOfEnding({ requestId, service, result }: ChatJob, ending: string | undefined): void {
  if (ending === undefined) return;
  const facts = { channel: result.channelId ?? 'none', model: result.served.model.id };
  service.metrics.unknownEnding(facts);
  service.log.warn(
    { request_id: requestId, ...facts, finish_reason: ending.slice(0, longestWord) },
    'unknown finish reason',
  );
}

/** Logs and counts missing or contradictory counts: not the caller's fault, but an operator should know. */
function warnOfUsage({ requestId, service, result }: ChatJob, doubts: readonly UsageDoubt[]): void {
  if (doubts.length === 0) return;
  const facts = { channel: result.channelId ?? 'none', model: result.served.model.id };
  for (const doubt of doubts) service.metrics.doubtfulUsage({ ...facts, doubt });
  service.log.warn({ request_id: requestId, ...facts, doubts }, 'usage');
}
