import { z } from 'zod';
import type { FaultRule } from '../control/rules.ts';
import { checkDisturbance, disturbanceMembers } from './disturbance-schema.ts';
import { selectorsSchema } from './selector-schemas.ts';

/** A fault rule. Unknown members are rejected. */
export const faultRuleSchema: z.ZodType<FaultRule> = z
  .strictObject({
    ...disturbanceMembers,
    when: selectorsSchema.exactOptional(),
    rate: z.number().gt(0).max(1).exactOptional(),
    times: z.int().min(1).exactOptional(),
    ttl_ms: z.number().gt(0).max(1e12).exactOptional(),
  })
  .superRefine(checkDisturbance) as unknown as z.ZodType<FaultRule>;
