import { bearerToken } from '../access/authenticate.ts';
import { isSecret } from '../admin/guard.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { advanceClock, type ClockView, readClock } from '../hooks/clock-hook.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { readBody } from '../http/read-body.ts';
import { sendPlain } from '../http/send.ts';
import type { Gateway } from './gateway.ts';

/** GET and POST /hooks/clock: reads or moves the clock of a gateway that was started for tests. */
export async function clockHook(exchange: Exchange, gateway: Gateway): Promise<void> {
  const hook = gateway.clockHook;
  if (hook === null) throw new GatewayError('not_found');
  if (!isSecret(bearerToken(exchange.incoming), hook.token)) throw new GatewayError('invalid_api_key');
  const view =
    exchange.incoming.method === 'GET' ? readClock(hook.clock) : await advance(exchange, gateway, hook);
  const body = JSON.stringify(view);
  await sendPlain(
    exchange,
    { status: 200, headers: { 'content-type': 'application/json' }, body },
    gateway.clock,
  );
}

async function advance(
  exchange: Exchange,
  { limits, clock }: Gateway,
  hook: NonNullable<Gateway['clockHook']>,
): Promise<ClockView> {
  return advanceClock(hook.clock, parseJsonObject(await readBody(exchange, limits, clock)).value);
}
