import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { errorCodeOf } from '../../wire/exchange.ts';
import { coreProtocol, type Protocol } from './protocol.ts';
import type { ProtocolModel } from './protocol-model.ts';
import { readSaid } from './said.ts';

const families: Readonly<Record<Protocol['name'], string>> = {
  core: '',
  'compat-a': 'beta-',
  'compat-b': 'gamma-',
};

/** Whether a protocol may serve a model outside the catalogue, by its name (reading B-95). */
export function mayServe(protocol: Protocol, model: string): boolean {
  return model.startsWith(families[protocol.name]);
}

/** Whether a protocol serves such a model while its channels are healthy: a path may serve the catalogue alone. */
export async function servesRoute(
  { http, newScene, judge }: CheckParts,
  { protocol, model }: ProtocolModel,
): Promise<boolean> {
  if (protocol === coreProtocol) return true;
  const label = `${protocol.name}, ${model}, healthy`;
  const exchange = await protocol.send(http, model, protocol.body(newScene(), { model }), { label });
  const code = errorCodeOf(exchange);
  if (code === 'model_not_found') judge.note(`${protocol.name} does not serve ${model}`);
  else readSaid(judge, protocol, exchange, { requirement: 'ROUTE-002', aspect: 'twin-served', model });
  return code !== 'model_not_found';
}
