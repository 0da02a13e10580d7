import type { Caller } from '../access/caller.ts';
import type { Channels } from '../routing/channels.ts';

/** Whether the caller can use a model: it is enabled for the account, and a channel serves it. */
export function availability(
  caller: Caller,
  { channels }: { readonly channels: Channels },
): (model: { readonly id: string }) => boolean {
  return ({ id }) =>
    (caller.models === null || caller.models.includes(id)) &&
    channels.serving(id, caller.channelsOf).length > 0;
}
