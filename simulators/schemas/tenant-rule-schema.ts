import { z } from 'zod';
import type { TenantRule } from '../control/rules.ts';
import { isTenantName } from '../control/tenant-name.ts';
import { headerSelector, keySelector } from './selector-schemas.ts';

const text = z.string().min(1).max(4096);

/** A tenant rule. Unknown members are rejected. */
export const tenantRuleSchema: z.ZodType<TenantRule> = z
  .strictObject({
    tenant: z.string().refine(isTenantName, 'cannot be the name of a tenant').exactOptional(),
    channel: z
      .string()
      .regex(/^[^/?]{1,64}$/, 'expected one segment of a path')
      .exactOptional(),
    when: z
      .strictObject({
        key: keySelector.exactOptional(),
        path: z
          .string()
          .regex(/^(\/[^/?]+)+$/, 'expected segments such as /team-a')
          .exactOptional(),
        model: text.exactOptional(),
        marker: text.exactOptional(),
        header: headerSelector.exactOptional(),
      })
      .refine((when) => Object.keys(when).length > 0, 'expected at least one of its members'),
  })
  .superRefine(({ tenant, when: { header } }, context) => {
    if (tenant !== undefined || (header !== undefined && header.value === undefined)) return;
    const message = 'expected a tenant, unless the value of a header names it';
    context.addIssue({ code: 'custom', path: ['tenant'], message });
  });
