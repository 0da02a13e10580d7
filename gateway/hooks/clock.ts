import type { Exchange } from '../http/exchange.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { readBody } from '../http/read-body.ts';
import type { Gateway } from '../services/gateway.ts';
import { advanceClock, readClock } from './clock-hook.ts';
import { answerHook, enterHook } from './enter-hook.ts';

/** How long a step of a task may take that time has to wait for, in real time, and all attempts at events together. */
const stepsWithinMs = 2_000;
const attemptsWithinMs = 4_000;

/**
 * GET and POST /hooks/clock: reads or moves the clock of a gateway that was started for tests. Steps of tasks end before
 * time goes on, and before it is told when the next thing is due, and so do attempts at the events that they lead to: they do
 * not take any time of this clock.
 */
export async function clockHook(exchange: Exchange, gateway: Gateway): Promise<void> {
  const hook = enterHook(exchange, gateway.clockHook);
  const { limits, clock } = gateway;
  const body =
    exchange.incoming.method === 'GET'
      ? null
      : parseJsonObject(await readBody(exchange, limits, clock)).value;
  await idle(gateway);
  if (body !== null) {
    await advanceClock(hook.clock, body);
    await idle(gateway);
  }
  await answerHook(exchange, gateway, readClock(hook.clock));
}

async function idle({ tasks, webhooks }: Gateway): Promise<void> {
  await tasks.idle(stepsWithinMs);
  await webhooks.idle(attemptsWithinMs);
}
