import { advanceClock, type ClockView, readClock } from '../hooks/clock-hook.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { readBody } from '../http/read-body.ts';
import { answerHook, enterHook } from './enter-hook.ts';
import type { Gateway } from './gateway.ts';

/** GET and POST /hooks/clock: reads or moves the clock of a gateway that was started for tests. */
export async function clockHook(exchange: Exchange, gateway: Gateway): Promise<void> {
  const hook = enterHook(exchange, gateway.clockHook);
  const { limits, clock } = gateway;
  const view: ClockView =
    exchange.incoming.method === 'GET'
      ? readClock(hook.clock)
      : await advanceClock(hook.clock, parseJsonObject(await readBody(exchange, limits, clock)).value);
  await answerHook(exchange, gateway, view);
}
