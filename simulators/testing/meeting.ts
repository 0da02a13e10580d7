import type { JournalEntry, Reply, TenantControl } from '../control/client.ts';
import { type RawCall, type RawOptions, rawCall } from './raw-call.ts';
import type { TestSimulators } from './simulators.ts';

/** The scripted text of the upstream, whole and in pieces. */
export const text = 'One two three four.';
export const deltas: readonly string[] = ['One ', 'two ', 'three ', 'four.'];

/** Sets a fault in a new tenant and makes one call. */
export type Meet = (
  fault: NonNullable<Reply['fault']>,
  options?: RawOptions,
) => Promise<{ readonly tenant: TenantControl; readonly raw: RawCall }>;

export function meetingOn(simulators: TestSimulators): Meet {
  return async (fault, options = {}) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text, deltas: [...deltas], fault }] });
    return { tenant, raw: rawCall(simulators.base(tenant.name), options) };
  };
}

/** The journal's reply of the tenant's first request, after it has ended. */
export async function entryOf(tenant: TenantControl): Promise<JournalEntry['reply']> {
  const { entries } = await tenant.journal({ ended: 1 });
  const [entry] = entries;
  if (entry === undefined) throw new Error('nothing arrived');
  return entry.reply;
}

/** The text of a plain answer. */
export function contentOf(body: Buffer): string {
  return JSON.parse(body.toString()).choices[0].message.content;
}
