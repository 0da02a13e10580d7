import type { Caller } from '../../access/caller.ts';
import { chargeForUnits } from '../../billing/unit-price.ts';
import type { UsageRecord } from '../../billing/usage-record.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import { noTokens } from '../media/no-tokens.ts';
import { taskPrice } from '../media/task-price.ts';
import type { ImageService } from './image-service.ts';

/** An image request that has ended, in success or failure. */
export interface ImagesJob {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly service: ImageService;
  readonly caller: Caller;
  readonly request: MediaRequest;
  /** The channel that was called last; null if none was. */
  readonly channelId: string | null;
  /** Number of calls to upstreams. */
  readonly attempts: number;
}

/** The usage record of an image request: the number of images, at the price that is valid when they are made. */
export function imagesRecord(
  { requestId, startedAtMs, service, caller, request, channelId, attempts }: ImagesJob,
  outcome: 'success' | 'client_gone' | ErrorCode,
  images: number,
): UsageRecord {
  const price = taskPrice(service, caller, request);
  return {
    ...noTokens,
    request_id: requestId,
    account_id: caller.accountId,
    user_id: caller.userId,
    app_id: caller.appId,
    key_id: caller.keyId,
    model_requested: request.model.id,
    model_served: request.model.id,
    channel_id: channelId,
    outcome,
    attempts,
    units: images,
    unit: price.unit,
    task_id: null,
    charge_pico: chargeForUnits(images, price.unitPico, price.markupBp),
    price,
    parents: [],
    started_at_ms: startedAtMs,
    ended_at_ms: service.clock.now(),
  };
}
