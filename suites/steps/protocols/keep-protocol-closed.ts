import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { keepClosedBy } from '../failures/breaker-budget.ts';
import { coreProtocol, type Protocol } from './protocol.ts';
import type { ProtocolModel } from './protocol-model.ts';

/**
 * Call this before a call that will fail at the upstream. It makes as many good calls as a breaker needs to stay
 * closed, on the failing protocol and on the core path. So it does not matter whether a deployment has one breaker
 * for both. `coming` is the number of attempts that may fail.
 */
export async function keepProtocolClosed(
  parts: CheckParts,
  { protocol, model }: ProtocolModel,
  coming = 2,
): Promise<void> {
  const { http, newScene } = parts;
  await keepClosedBy(parts, model, coming, async () => {
    for (const one of new Set<Protocol>([protocol, coreProtocol])) {
      const label = `a good call on ${model}, ${one.name}`;
      await one.open(http, model, one.body(newScene(), { model }), { label }).done;
    }
  });
}
