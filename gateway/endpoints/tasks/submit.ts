import type { Caller } from '../../access/caller.ts';
import { holdAllowance } from '../../billing/hold-allowance.ts';
import { chargeForUnits } from '../../billing/unit-price.ts';
import { type MediaModel, mediaModels } from '../../catalogue/media-models.ts';
import type { Exchange } from '../../http/exchange.ts';
import { inTurn, parseInTurns } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import type { Endpoint } from '../../http/route.ts';
import { sendJson } from '../../http/send-json.ts';
import { findModel } from '../../requests/find-model.ts';
import type { UrlRules } from '../../requests/media/https-url.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import { parseMediaRequest } from '../../requests/media/parse-media-request.ts';
import { availability } from '../../services/available-models.ts';
import { type HeldPrice, heldPrice } from '../../services/media/task-price.ts';
import { type Ancestry, findParents } from '../../services/tasks/find-parents.ts';
import type { TaskService } from '../../services/tasks/task-service.ts';
import { submittedView } from '../../services/tasks/task-view.ts';
import type { NewTask } from '../../services/tasks/tasks.ts';
import { type Access, enter } from '../enter.ts';

export interface SubmitDeps {
  readonly access: Access;
  readonly service: TaskService;
  /** The rules for URLs in requests. */
  readonly urlRules: UrlRules;
}

export function submitEndpoint(parts: SubmitDeps): Endpoint {
  return (exchange) => submitTask(exchange, parts);
}

/**
 * POST /api/v1/tasks: the pipeline of a task until it is stored, one stage a line. It finds every error of the request and
 * awaits no upstream. Equal submissions are different tasks (B-118).
 */
async function submitTask(exchange: Exchange, { access, service, urlRules }: SubmitDeps): Promise<void> {
  const { requestId } = exchange;
  // authenticate, take a slot
  const caller = await enter(exchange, access);
  // read JSON
  const body = await parseInTurns(await readBody(exchange));
  // find model
  const isAvailable = availability(caller, service);
  const isServed = (one: MediaModel): boolean => one.served === 'tasks' && isAvailable(one);
  const model = findModel(body.value.model, mediaModels, isServed);
  // parse the model's fields
  const request = await inTurn(body, () => parseMediaRequest(body, model, urlRules));
  // find the tasks that it builds on
  const ancestry = await findParents(service, caller, request);
  // allowance: check credits and quota, hold the maximum cost
  const { accountId } = caller;
  const price = heldPrice(service, caller, request);
  const amount = chargeForUnits(price.heldUnits, price.unitPico, price.markupBp);
  const allowance = await holdAllowance(service, { requestId, accountId, amount, overshoots: false });
  try {
    // store it, with its hold
    const task = newTask(service, requestId, caller, { request, ancestry, price });
    await service.tasks.submit(task);
    allowance.entrust();
    // answer
    await sendJson(exchange, submittedView(task));
  } finally {
    await allowance.release();
  }
}

function newTask(
  service: TaskService,
  requestId: string,
  caller: Caller,
  {
    request,
    ancestry,
    price,
  }: { readonly request: MediaRequest; readonly ancestry: Ancestry; readonly price: HeldPrice },
): NewTask {
  const nowMs = service.clock.now();
  return {
    id: service.newId('task_'),
    requestId,
    accountId: caller.accountId,
    userId: caller.userId,
    appId: caller.appId,
    keyId: caller.keyId,
    model: request.model.id,
    medium: request.model.medium,
    action: request.action,
    fields: { ...request.fields, ...ancestry.fields },
    parents: ancestry.parents,
    webhookUrl: request.webhookUrl,
    channelsOf: caller.channelsOf,
    channelId: ancestry.channelId,
    price,
    submittedAtMs: nowMs,
    deadlineAtMs: nowMs + service.deadlineMs,
  };
}
