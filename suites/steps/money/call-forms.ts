import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { compatProtocols, coreProtocol, type Protocol } from '../protocols/protocol.ts';
import { streamsOn } from '../protocols/protocol-model.ts';

/** One way to call a model: a protocol, streamed or not. */
export interface CallForm {
  readonly protocol: Protocol;
  readonly stream: boolean;
}

/** Every way to call a model here: plain and streamed, on the core path and on its compat path. */
export async function formsOf(parts: CheckParts, model: string): Promise<CallForm[]> {
  const forms = [false, true].map((stream): CallForm => ({ protocol: coreProtocol, stream }));
  for (const protocol of compatProtocols) {
    if (
      !protocol.serves(model) ||
      (protocol.fact !== null && parts.target.profile.absent.includes(protocol.fact))
    )
      continue;
    forms.push({ protocol, stream: false });
    if (await streamsOn(parts, { protocol, model })) forms.push({ protocol, stream: true });
  }
  return forms;
}
