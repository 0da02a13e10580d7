import { invalidParam } from '../errors/gateway-error.ts';
import { formatUsd, type Pico } from '../money/pico.ts';
import type { Hook } from './hook.ts';
import { requestIdIn } from './request-id-in.ts';

type CountName =
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cached_tokens'
  | 'cache_write_5m_tokens'
  | 'cache_write_1h_tokens';

/** What is shown of a usage record as it is: all but whose it was, the details of its price, and when it was. */
interface ShownUsage<Count> extends Readonly<Record<CountName, Count>> {
  readonly request_id: string;
  readonly model_requested: string;
  readonly model_served: string;
  readonly channel_id: string | null;
  readonly outcome: string;
  readonly stream: boolean;
  readonly attempts: number;
  readonly usage_known: boolean;
  /** What the model is paid by; null where tokens count. */
  readonly unit: string | null;
  /** The task that the request handed in, and the tasks that it builds on, the first one first. */
  readonly task_id: string | null;
  readonly parents: readonly string[];
  /** The caller's own label and pairs. */
  readonly end_user: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** What records must have: all of what is given. */
interface Wanted {
  readonly requestId?: string;
  readonly endUser?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

type StoredUsage = ShownUsage<bigint> & { readonly charge_pico: Pico; readonly units: number | null };

/** Where the records are; a reader of the store, which rejects as that does. */
export interface UsageSource {
  search(wanted: Wanted, limit: number): Promise<readonly StoredUsage[]>;
}

/** Answer of the usage hook: what requests are billed by; no record of a request that used nothing, or is not known. */
export interface UsageView {
  /** `charge` is dollars as a decimal text; `units` is how much was made of what the model is paid by. */
  readonly records: readonly (ShownUsage<number> & { readonly charge: string; readonly units: number })[];
}

/** More records than this are never shown. */
const maxRecords = 100;
/** Before the name of a key in metadata. */
const metadata = 'metadata.';

/** GET /hooks/usage?request_id=: what requests are billed by. */
export function showUsage(source: UsageSource): Hook {
  return ({ query }) => readUsage(source, query);
}

/**
 * Reads the records, newest first, that `query`, as sent, asks for: those of the request under `request_id`, those with
 * a label under `end_user`, those with a pair under `metadata.<key>`.
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
    model_requested: record.model_requested,
    model_served: record.model_served,
    channel_id: record.channel_id,
    outcome: record.outcome,
    stream: record.stream,
    attempts: record.attempts,
    // As the endpoints read them from upstreams: numbers, exact up to 2^53.
    prompt_tokens: Number(record.prompt_tokens),
    completion_tokens: Number(record.completion_tokens),
    cached_tokens: Number(record.cached_tokens),
    cache_write_5m_tokens: Number(record.cache_write_5m_tokens),
    cache_write_1h_tokens: Number(record.cache_write_1h_tokens),
    usage_known: record.usage_known,
    units: record.units ?? 0,
    unit: record.unit,
    task_id: record.task_id,
    parents: record.parents,
    charge: formatUsd(record.charge_pico),
    end_user: record.end_user,
    metadata: record.metadata,
  };
}
