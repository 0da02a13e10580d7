/** What a person needs to enter a lost record by hand. */
interface LostUsage {
  readonly request_id: string;
  readonly key_id: string;
  readonly model_served: string;
  readonly channel_id: string | null;
  readonly prompt_tokens: bigint;
  readonly completion_tokens: bigint;
}

/** A usage record that could not be made durable; its message says whose usage that was. */
export class UsageNotKept extends Error {
  override name = 'UsageNotKept';

  constructor(lost: LostUsage, cause: unknown) {
    const { request_id: request, key_id: key, model_served: model, channel_id: channel } = lost;
    const counts = `${lost.prompt_tokens} prompt and ${lost.completion_tokens} completion tokens`;
    super(`the usage of ${request} was not kept: key ${key}, model ${model}, channel ${channel}, ${counts}`, {
      cause,
    });
  }
}
