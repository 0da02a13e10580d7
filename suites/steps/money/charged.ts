import type { Meter } from '../../engine/meter.ts';
import type { Pico } from '../../oracle/money.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One call, however it ended, and its charge, which may come `laterMs` after it. */
export async function charged(
  meter: Meter,
  send: () => Promise<Exchange>,
  options: { readonly key?: string; readonly laterMs?: number } = {},
): Promise<{ readonly exchange: Exchange; readonly charge: Pico }> {
  const sent: Exchange[] = [];
  const work = async (): Promise<Exchange[]> => {
    sent.push(await send());
    return sent;
  };
  const charge = await meter.charged(work, options);
  const [exchange] = sent as [Exchange];
  return { exchange, charge };
}
