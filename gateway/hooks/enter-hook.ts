import { bearerToken } from '../access/credential.ts';
import { isSecret } from '../admin/guard.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/send-json.ts';
import type { Gateway } from '../services/gateway.ts';

/** The hook, for whoever shows its token; without the hook there is no such path. */
export function enterHook<Hook extends { readonly token: string }>(
  exchange: Exchange,
  hook: Hook | null,
): Hook {
  if (hook === null) throw new GatewayError('not_found');
  if (!isSecret(bearerToken(exchange.incoming), hook.token)) throw new GatewayError('invalid_api_key');
  return hook;
}

export async function answerHook(
  exchange: Exchange,
  { clock }: Gateway,
  view: object,
  status = 200,
): Promise<void> {
  await sendJson(exchange, view, clock, status);
}
