import type { Caller } from '../access/caller.ts';
import type { Channels } from '../routing/channels.ts';

/** Whether a model works for the caller: enabled for the account, and served by some channel. */
export function availability(
  caller: Caller,
  { channels }: { readonly channels: Channels },
): (model: { readonly id: string }) => boolean {
  return ({ id }) =>
    (caller.models === null || caller.models.includes(id)) &&
    channels.serving(id, caller.channelsOf).length > 0;
}
