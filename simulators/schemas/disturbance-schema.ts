import { z } from 'zod';
import type { Reply } from '../control/protocol.ts';
import { replySchema } from './script-schema.ts';

/** The members that say what befalls a request; they stand among others, in arms and scenarios. */
export const disturbanceMembers = {
  fault: z.unknown().exactOptional(),
  reply: replySchema.exactOptional(),
};

type Given = { readonly fault?: unknown; readonly reply?: Reply; readonly capture?: unknown };

/** Exactly one of `fault` and `reply` (or what else a place may have); a fault is checked as the member of a reply. */
export function checkDisturbance(given: Given, context: z.core.$RefinementCtx): void {
  const what = [given.fault, given.reply, given.capture].filter((member) => member !== undefined);
  if (what.length !== 1) {
    context.addIssue({ code: 'custom', path: [], message: 'expected either fault or reply' });
  }
  if (given.fault === undefined) return;
  for (const issue of replySchema.safeParse({ fault: given.fault }).error?.issues ?? []) {
    context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
  }
}
