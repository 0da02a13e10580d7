import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { keepClosedBy } from '../failures/breaker-budget.ts';
import { keepProtocolClosed } from '../protocols/keep-protocol-closed.ts';
import { type WayIn, wayLabel } from './way-in.ts';

/** Call this before a call that will fail at the upstream: the good calls that keep its breaker closed, made the same way. */
export async function keepWayClosed(parts: CheckParts, way: WayIn, coming = 2): Promise<void> {
  const { newScene } = parts;
  const { protocol, model } = way;
  if (protocol !== null) return keepProtocolClosed(parts, { protocol, model }, coming);
  await keepClosedBy(parts, model, coming, async () => {
    await way.open(parts, way.body(newScene()), { label: `a good call on ${model}, ${wayLabel(way)}` }).done;
  });
}
