import type { Allowance } from '../../billing/hold-allowance.ts';
import type { Exchange } from '../../http/exchange.ts';
import { ClientDisconnected } from '../../http/read-body.ts';
import { sendJson } from '../../http/send-json.ts';
import { type ImagesJob, imagesRecord } from '../../services/images/charge.ts';
import { type ImagesResult, normaliseImagesFailure } from '../../services/images/dispatch.ts';
import { imagesView } from '../../services/images/images-view.ts';

/**
 * Normalises a failure, records the usage durably, then answers: in this order for every outcome. If one of the
 * requested images is missing, the request fails and costs nothing (B-57).
 */
export async function answerImages(
  exchange: Exchange,
  asked: Omit<ImagesJob, 'channelId' | 'attempts'>,
  result: ImagesResult,
  allowance: Allowance,
): Promise<void> {
  const { request, service } = asked;
  const { outcome, channelId, attempts } = result;
  const job: ImagesJob = { ...asked, channelId, attempts };
  switch (outcome.kind) {
    case 'pictures': {
      const hasLeft = exchange.gone.aborted;
      await allowance.settle(imagesRecord(job, hasLeft ? 'client_gone' : 'success', outcome.pictures.length));
      if (hasLeft) throw new ClientDisconnected();
      const view = imagesView(request, outcome.pictures, service.linkTo, exchange.clock.now());
      return sendJson(exchange, view);
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
