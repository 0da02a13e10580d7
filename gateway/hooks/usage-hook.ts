import type { UsageRecord } from '../billing/usage-record.ts';
import { invalidParam } from '../errors/gateway-error.ts';
import { formatUsd } from '../money/pico.ts';
import type { Hook } from './hook.ts';
import { requestIdIn } from './request-id-in.ts';

type CountName =
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cached_tokens'
  | 'cache_write_5m_tokens'
  | 'cache_write_1h_tokens';

/**
 * The fields of a usage record that are shown unchanged: all except the account, user and key, the price details, and
 * the times.
 */
interface ShownUsage<Count> extends Readonly<Record<CountName, Count>> {
  readonly request_id: string;
  /** The app of the request's key. */
  readonly app_id: string;
  readonly model_requested: string;
  readonly model_served: string;
  readonly channel_id: string | null;
  readonly outcome: string;
  readonly stream: boolean;
  readonly attempts: number;
  readonly usage_known: boolean;
  /** The unit by which the model is billed; null where tokens count. */
  readonly unit: string | null;
  /** The task that the request submitted, and the tasks that it builds on, the first one first. */
  readonly task_id: string | null;
  readonly parents: readonly string[];
  /** The label and metadata that the caller sent. */
  readonly end_user: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** A filter of records: all given conditions must hold. */
interface Wanted {
  readonly requestId?: string;
  readonly endUser?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

type StoredUsage = ShownUsage<bigint> & Pick<UsageRecord, 'charge_pico' | 'units' | 'price'>;

/** Reads the records. Rejects when the database does. */
export interface UsageSource {
  search(wanted: Wanted, limit: number): Promise<readonly StoredUsage[]>;
}

/**
 * The answer of the usage hook: what requests are billed by. A request that used nothing, or is unknown, has no
 * record.
 */
export interface UsageView {
  /** `charge` is a decimal text in dollars; `units` is the number of billed units. */
  readonly records: readonly (ShownUsage<number> & {
    readonly charge: string;
    readonly units: number;
    /** Why the counts may be wrong. */
    readonly usage_doubts: readonly string[];
  })[];
}

/** The maximum of records in one answer. */
const maxRecords = 100;
/** The prefix of query parameters that filter by a metadata key. */
const metadata = 'metadata.';

/** GET /hooks/usage?request_id=: the usage records of requests. */
export function showUsage(source: UsageSource): Hook {
  return ({ query }) => readUsage(source, query);
}

/**
 * Reads the records that `query` (as sent) selects, newest first: by request with `request_id`, by label with
 * `end_user`, by pair with `metadata.<key>`.
 */
async function readUsage(source: UsageSource, query: string): Promise<UsageView> {
  const records = await source.search(wantedIn(new URLSearchParams(query)), maxRecords);
  return { records: records.map(viewOf) };
}

function wantedIn(query: URLSearchParams): Wanted {
  const names = new Set(query.keys());
  const pairs = [...names].filter((name) => name.startsWith(metadata));
  const endUser = names.has('end_user') ? onlyIn(query, 'end_user') : undefined;
  const isSearch = endUser !== undefined || pairs.length > 0;
  return {
    ...((names.has('request_id') || !isSearch) && { requestId: requestIdIn(query) }),
    ...(endUser !== undefined && { endUser }),
    metadata: Object.fromEntries(pairs.map((name) => [name.slice(metadata.length), onlyIn(query, name)])),
  };
}

function onlyIn(query: URLSearchParams, name: string): string {
  const [value, ...more] = query.getAll(name);
  if (value === undefined || more.length > 0) throw invalidParam(name, `${name} must be given once.`);
  return value;
}

function viewOf(record: StoredUsage): UsageView['records'][number] {
  return {
    request_id: record.request_id,
    app_id: record.app_id,
    model_requested: record.model_requested,
    model_served: record.model_served,
    channel_id: record.channel_id,
    outcome: record.outcome,
    stream: record.stream,
    attempts: record.attempts,
    // Numbers like those that the endpoints read from upstreams: exact up to 2^53.
    prompt_tokens: Number(record.prompt_tokens),
    completion_tokens: Number(record.completion_tokens),
    cached_tokens: Number(record.cached_tokens),
    cache_write_5m_tokens: Number(record.cache_write_5m_tokens),
    cache_write_1h_tokens: Number(record.cache_write_1h_tokens),
    usage_known: record.usage_known,
    usage_doubts: ('doubts' in record.price ? record.price.doubts : undefined) ?? [],
    units: record.units ?? 0,
    unit: record.unit,
    task_id: record.task_id,
    parents: record.parents,
    charge: formatUsd(record.charge_pico),
    end_user: record.end_user,
    metadata: record.metadata,
  };
}
