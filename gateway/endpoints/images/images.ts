import { holdAllowance } from '../../billing/hold-allowance.ts';
import { type MediaModel, mediaModels } from '../../catalogue/media-models.ts';
import type { Exchange } from '../../http/exchange.ts';
import { inTurn, parseInTurns } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import type { Endpoint } from '../../http/route.ts';
import { findModel } from '../../requests/find-model.ts';
import type { UrlRules } from '../../requests/media/https-url.ts';
import { parseMediaRequest } from '../../requests/media/parse-media-request.ts';
import { availability } from '../../services/available-models.ts';
import { dispatchImages } from '../../services/images/dispatch.ts';
import type { ImageService } from '../../services/images/image-service.ts';
import { maxCost } from '../../services/media/task-price.ts';
import { type Access, enter } from '../enter.ts';
import { answerImages } from './answer.ts';

export interface ImageDeps {
  readonly access: Access;
  readonly service: ImageService;
  /** The rules for URLs in requests. */
  readonly urlRules: UrlRules;
}

export function imagesEndpoint(parts: ImageDeps): Endpoint {
  return (exchange) => generateImages(exchange, parts);
}

/**
 * POST /api/v1/images/generations: the pipeline of an image request, one stage a line. The answer has all images
 * or is an error.
 */
async function generateImages(exchange: Exchange, { access, service, urlRules }: ImageDeps): Promise<void> {
  const { requestId, startedAtMs, gone } = exchange;
  // authenticate, take a slot
  const caller = await enter(exchange, access);
  // read JSON
  const bytes = await readBody(exchange);
  const body = await parseInTurns(bytes);
  // find model
  const isAvailable = availability(caller, service);
  const isServed = (one: MediaModel): boolean => one.served === 'images' && isAvailable(one);
  const model = findModel(body.value.model, mediaModels, isServed);
  // parse the model's fields
  const request = await inTurn(body, () => parseMediaRequest(body, model, urlRules));
  // allowance: check credits and quota, hold the maximum cost
  const { accountId } = caller;
  const amount = maxCost(service, caller, request);
  const allowance = await holdAllowance(service, { requestId, accountId, amount, overshoots: false });
  const call = service.abandoned.follow(gone, { userId: caller.userId, bytes: bytes.length });
  try {
    // attempt, with one retry; keep the images, because links of upstreams expire soon
    const result = await dispatchImages({ service, caller, request, gone, call });
    // normalise failure, charge durably, answer
    try {
      const job = { requestId, startedAtMs, service, caller, request };
      await answerImages(exchange, job, result, allowance);
    } finally {
      result.release();
    }
  } finally {
    call.over();
    await allowance.release();
  }
}
