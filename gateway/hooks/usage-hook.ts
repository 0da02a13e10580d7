import { invalidParam } from '../errors/gateway-error.ts';

type CountName =
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cached_tokens'
  | 'cache_write_5m_tokens'
  | 'cache_write_1h_tokens';

/** What is shown of a usage record: all but what is the caller's own (labels, metadata) and when it was. */
interface ShownUsage<Count> extends Readonly<Record<CountName, Count>> {
  readonly request_id: string;
  readonly model_requested: string;
  readonly model_served: string;
  readonly channel_id: string | null;
  readonly outcome: string;
  readonly stream: boolean;
  readonly attempts: number;
  readonly usage_known: boolean;
}

/** Where the records are; a reader of the store, which rejects as that does. */
interface UsageSource {
  ofRequest(requestId: string): Promise<readonly ShownUsage<bigint>[]>;
}

/** Answer of the usage hook: what one request is billed by; no record when the request used nothing, or is not known. */
export interface UsageView {
  readonly records: readonly ShownUsage<number>[];
}

/** Reads the records of the request whose id stands in `query`, as sent, under `request_id`. */
export async function readUsage(source: UsageSource, query: string): Promise<UsageView> {
  const ids = new URLSearchParams(query).getAll('request_id');
  const [id] = ids;
  if (id === undefined || id === '' || ids.length > 1) {
    throw invalidParam('request_id', 'request_id must be given once: the id of a request.');
  }
  const records = await source.ofRequest(id);
  return { records: records.map(viewOf) };
}

function viewOf(record: ShownUsage<bigint>): ShownUsage<number> {
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
  };
}
