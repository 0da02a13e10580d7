import { type MediaModel, mediaModels } from '../../catalogue/media-models.ts';
import type { Exchange } from '../../http/exchange.ts';
import { parseJsonObject } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import { findModel } from '../../requests/find-model.ts';
import { parseMediaRequest } from '../../requests/media/parse-media-request.ts';
import { availability } from '../../services/available-models.ts';
import type { Gateway } from '../../services/gateway.ts';
import { holdAllowance } from '../../services/hold-allowance.ts';
import { dispatchImages } from '../../services/images/dispatch.ts';
import { maxCost } from '../../services/media/task-price.ts';
import { enter } from '../enter.ts';
import { answerImages } from './answer.ts';

/**
 * POST /api/v1/images/generations: the pipeline of a request for pictures, one stage a line. They are answered in one
 * response, or not at all.
 */
export async function generateImages(exchange: Exchange, gateway: Gateway): Promise<void> {
  // authenticate, take a slot
  const caller = await enter(exchange, gateway);
  // read JSON
  const body = parseJsonObject(await readBody(exchange, gateway.limits, gateway.clock));
  // find model
  const isAvailable = availability(caller, gateway);
  const isServed = (one: MediaModel): boolean => one.served === 'images' && isAvailable(one);
  const model = findModel(body.value.model, mediaModels, isServed);
  // parse the model's fields
  const request = parseMediaRequest(body, model, gateway.urlRules);
  // allowance: credits and quota; holds what it may cost
  const allowance = await holdAllowance(exchange, gateway, caller, maxCost(gateway, caller, request));
  try {
    // attempt, with one retry; the pictures are kept, for links of upstreams end soon
    const result = await dispatchImages({ gateway, caller, request, gone: exchange.gone });
    // normalise failure, charge durably, answer
    try {
      await answerImages({ exchange, gateway, caller, request, result, allowance });
    } finally {
      result.release();
    }
  } finally {
    await allowance.release();
  }
}
