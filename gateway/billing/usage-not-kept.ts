import { formatUsd, type Pico } from '../money/pico.ts';

/** What a person needs to enter a lost record by hand. */
interface LostUsage {
  readonly request_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly model_served: string;
  readonly channel_id: string | null;
  readonly prompt_tokens: bigint;
  readonly completion_tokens: bigint;
  readonly cached_tokens: bigint;
  readonly cache_write_5m_tokens: bigint;
  readonly cache_write_1h_tokens: bigint;
  readonly charge_pico: Pico;
}

/** A usage record could not be made durable. The message names whose usage it was. */
export class UsageNotKept extends Error {
  override name = 'UsageNotKept';

  constructor(lost: LostUsage, cause: unknown) {
    const {
      request_id: request,
      account_id: account,
      key_id: key,
      model_served: model,
      channel_id: channel,
    } = lost;
    const written = `${lost.cache_write_5m_tokens} and ${lost.cache_write_1h_tokens} written`;
    const cache = `${lost.cached_tokens} from a cache, ${written} to slots of five minutes and of an hour`;
    const counts = `${lost.prompt_tokens} prompt (${cache}) and ${lost.completion_tokens} completion tokens`;
    const place = `account ${account}, key ${key}, model ${model}, channel ${channel}`;
    super(
      `the usage of ${request} was not kept: ${place}, ${counts}, charge ${formatUsd(lost.charge_pico)} USD`,
      {
        cause,
      },
    );
  }
}
