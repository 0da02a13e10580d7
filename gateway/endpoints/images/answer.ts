import type { Caller } from '../../access/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import { ClientDisconnected } from '../../http/read-body.ts';
import { sendJson } from '../../http/send-json.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import type { Gateway } from '../../services/gateway.ts';
import type { Allowance } from '../../services/hold-allowance.ts';
import { type ImagesJob, imagesRecord } from '../../services/images/charge.ts';
import { type ImagesResult, normaliseImagesFailure } from '../../services/images/dispatch.ts';
import { imagesView } from '../../services/images/images-view.ts';

/** A request for pictures that has been at an upstream, with everything that its answer and its record need. */
export interface ImagesEnd {
  readonly exchange: Exchange;
  readonly gateway: Gateway;
  readonly caller: Caller;
  readonly request: MediaRequest;
  readonly result: ImagesResult;
  readonly allowance: Allowance;
}

/**
 * Normalises a failure, records the usage durably, then answers: in this order for every outcome. Without every picture
 * that was asked for there is no answer, and no charge (B-57).
 */
export async function answerImages(end: ImagesEnd): Promise<void> {
  const { exchange, gateway, caller, request, result, allowance } = end;
  const { outcome, channelId, attempts } = result;
  const job: ImagesJob = { exchange, gateway, caller, request, channelId, attempts };
  switch (outcome.kind) {
    case 'pictures': {
      await allowance.settle(imagesRecord(job, 'success', outcome.pictures.length));
      const view = imagesView(request, outcome.pictures, gateway.linkTo, gateway.clock.now());
      return sendJson(exchange, view, gateway.clock);
    }
    case 'failure': {
      const refusal = normaliseImagesFailure(outcome, result, request);
      await allowance.settle(imagesRecord(job, refusal.code, 0));
      throw refusal;
    }
    case 'client_left':
      await allowance.settle(imagesRecord(job, 'client_gone', 0));
      throw new ClientDisconnected();
  }
}
