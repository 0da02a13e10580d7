import type { Reply } from 'gatecheck-simulators/client';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { heldStream, leaveStream } from '../../steps/chat/leave-stream.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import type { CountedStep, LedgerStep } from './ledger-steps.ts';

export interface Played {
  readonly exchange: Exchange;
  /** Whether the call was refused or failed, so that it must cost nothing. */
  readonly isFree: boolean;
}

/** Runs a call step. Without credit every call is refused (reading B-45). */
export async function playStep(
  parts: CheckParts,
  key: string,
  step: Exclude<LedgerStep, { do: 'grant' }>,
  hasCredit: boolean,
): Promise<Played> {
  const { cases, target, newScene, http, judge } = parts;
  cases.count();
  const model = target.anyModel();
  const rule = { requirement: 'BILL-006', aspect: 'served', model };
  if (step.do === 'fail' || step.do === 'retry') await keepClosed(parts, model, step.do === 'fail' ? 2 : 1);
  const scene = newScene();
  await scene.script(...repliesTo(step));
  const isStream = step.do === 'stream' || step.do === 'abort';
  const body: JsonObject = {
    ...scene.minimal(model),
    ...(isStream ? { stream: true } : {}),
    ...(step.do === 'refused' ? { temperature: 'hot' } : {}),
  };
  const options = { key, label: `${step.do} on ${model}` };
  if (step.do === 'refused') {
    const exchange = await http.chat(body, options);
    judge.refused(exchange, { ...rule, codes: ['invalid_param', 'quota_exceeded'] });
    return { exchange, isFree: true };
  }
  if (!hasCredit) {
    const exchange = await http.chat(body, { key, label: `${options.label}, without credit` });
    judge.refused(exchange, { ...rule, aspect: 'without-credit', codes: ['quota_exceeded'], param: null });
    return { exchange, isFree: true };
  }
  if (step.do === 'abort') {
    const leave = (): Promise<Exchange> => leaveStream(scene, http.openChat(body, options));
    return { exchange: await http.inTurn(key, leave), isFree: false };
  }
  const exchange = await http.chat(body, options);
  // A gateway without retries has failed here.
  const isFree = !isSuccess(exchange);
  if (!isFree && isStream) judge.streamed(exchange, rule);
  if ((!isFree && !isStream) || step.do === 'call') judge.completed(exchange, rule);
  return { exchange, isFree };
}

function repliesTo(step: Exclude<LedgerStep, { do: 'grant' }>): Reply[] {
  switch (step.do) {
    case 'fail':
      return [serverFault];
    case 'refused':
      return [{ text: 'Nobody hears this.' }];
    case 'retry':
      return [serverFault, good(step)];
    case 'abort':
      return [{ ...good(step), ...heldStream }];
    case 'call':
    case 'stream':
      return [good(step)];
  }
}

function good({ promptTokens, completionTokens, cachedTokens = 0 }: CountedStep): Reply {
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cached_tokens: cachedTokens,
  };
  return { text: 'Counted elsewhere.', usage };
}
