import type { Caller } from '../../access/caller.ts';
import { type MediaModel, mediaModels } from '../../catalogue/media-models.ts';
import type { Exchange } from '../../http/exchange.ts';
import { parseJsonObject } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import { sendJson } from '../../http/send-json.ts';
import { findModel } from '../../requests/find-model.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import { parseMediaRequest } from '../../requests/media/parse-media-request.ts';
import { availability } from '../../services/available-models.ts';
import type { Gateway } from '../../services/gateway.ts';
import { holdAllowance } from '../../services/hold-allowance.ts';
import { maxCost, taskPrice } from '../../services/media/task-price.ts';
import { type Ancestry, findParents } from '../../services/tasks/find-parents.ts';
import { submittedView } from '../../services/tasks/task-view.ts';
import type { NewTask } from '../../tasks/tasks.ts';
import { enter } from '../enter.ts';

/**
 * POST /api/v1/tasks: the pipeline of a task up to its being kept, one stage a line. Everything that can be wrong with it is
 * found here; nothing upstream is waited for. Equal submissions are different tasks (B-118).
 */
export async function submitTask(exchange: Exchange, gateway: Gateway): Promise<void> {
  // authenticate, take a slot
  const caller = await enter(exchange, gateway);
  // read JSON
  const body = parseJsonObject(await readBody(exchange, gateway.limits, gateway.clock));
  // find model
  const isAvailable = availability(caller, gateway);
  const isServed = (one: MediaModel): boolean => one.served === 'tasks' && isAvailable(one);
  const model = findModel(body.value.model, mediaModels, isServed);
  // parse the model's fields
  const request = parseMediaRequest(body, model, gateway.urlRules);
  // find the tasks that it builds on
  const ancestry = await findParents(gateway, caller, request);
  // allowance: credits and quota; holds what it may cost
  const allowance = await holdAllowance(exchange, gateway, caller, maxCost(gateway, caller, request));
  try {
    // keep it, with its hold
    const task = newTask(exchange, gateway, caller, { request, ancestry });
    await gateway.tasks.submit(task);
    allowance.entrust();
    // answer
    await sendJson(exchange, submittedView(task), gateway.clock);
  } finally {
    await allowance.release();
  }
}

function newTask(
  exchange: Exchange,
  gateway: Gateway,
  caller: Caller,
  { request, ancestry }: { readonly request: MediaRequest; readonly ancestry: Ancestry },
): NewTask {
  const nowMs = gateway.clock.now();
  return {
    id: gateway.newId('task_'),
    requestId: exchange.requestId,
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
    price: taskPrice(gateway, caller, request),
    submittedAtMs: nowMs,
    deadlineAtMs: nowMs + gateway.taskLimits.deadline_ms,
  };
}
