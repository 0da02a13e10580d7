import { z } from 'zod';
import type { Reply } from '../control/protocol.ts';
import { faultIdOf } from '../fault-contract/known-faults.ts';
import { passIssues } from '../json/issue.ts';
import { isObject } from '../json/json-body.ts';
import { replySchema } from './reply-schema.ts';

/** The members of a disturbance, shared by fault rules and scenarios. */
export const disturbanceMembers = {
  fault: z.unknown().transform(withId).exactOptional(),
  reply: replySchema.exactOptional(),
};

type Given = { readonly fault?: unknown; readonly reply?: Reply; readonly capture?: unknown };

/** Requires exactly one of `fault`, `reply` and, if allowed, `capture`. A fault is checked like the member of a reply. */
export function checkDisturbance(given: Given, context: z.core.$RefinementCtx): void {
  const what = [given.fault, given.reply, given.capture].filter((member) => member !== undefined);
  if (what.length !== 1) {
    context.addIssue({ code: 'custom', path: [], message: 'expected either fault or reply' });
  }
  if (given.fault !== undefined) passIssues(replySchema.safeParse({ fault: given.fault }), context);
}

/** A fault may be only its id, or its name instead of the id. */
function withId(fault: unknown): unknown {
  if (typeof fault === 'string') return { id: faultIdOf(fault) };
  if (!isObject(fault) || !('id' in fault) || typeof fault.id !== 'string') return fault;
  return { ...fault, id: faultIdOf(fault.id) };
}
