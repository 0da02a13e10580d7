import { z } from 'zod';
import type { Reply } from '../control/protocol.ts';
import { faultIdOf } from '../fault-contract/known-faults.ts';
import { isObject } from '../json/json-body.ts';
import { replySchema } from './reply-schema.ts';

/** The members that say what happens to a request; they stand among others, in fault rules and scenarios. */
export const disturbanceMembers = {
  fault: z.unknown().transform(withId).exactOptional(),
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

/** A fault may be its id alone, and its name may stand for the id. */
function withId(fault: unknown): unknown {
  if (typeof fault === 'string') return { id: faultIdOf(fault) };
  if (!isObject(fault) || !('id' in fault) || typeof fault.id !== 'string') return fault;
  return { ...fault, id: faultIdOf(fault.id) };
}
