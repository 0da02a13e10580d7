import { z } from 'zod';
import type { Behaviour, FaultShare, Scenario } from '../control/scenario.ts';
import { inPlainWords, passIssues } from '../json/issue.ts';
import { isObject } from '../json/json-body.ts';
import { checkDisturbance, disturbanceMembers as ofRules } from './disturbance-schema.ts';
import { pacingSchema } from './latency-schema.ts';
import { selectorsSchema } from './selector-schemas.ts';
import { tenantRuleSchema } from './tenant-rule-schema.ts';

const positiveMs = z.number().min(1).max(1e10);
const share = z.number().min(0).max(1);
const requests = z.int().min(1).max(1_000_000);

const disturbanceMembers = {
  ...ofRules,
  capture: z
    .strictObject({ file: z.string().min(1).max(4096), exchange: z.int().min(1).exactOptional() })
    .exactOptional(),
};

/** Not a union, because its errors would not name the invalid member. */
const rate = z.custom<FaultShare['rate']>().superRefine((given, context) => {
  const schema =
    typeof given === 'object' && given !== null ? z.strictObject({ from: share, to: share }) : share;
  passIssues(schema.safeParse(given, inPlainWords), context);
});

const faultShare = z
  .strictObject({ ...disturbanceMembers, rate: rate.exactOptional(), when: selectorsSchema.exactOptional() })
  .superRefine(checkDisturbance);

const behaviour = {
  latency: pacingSchema.exactOptional(),
  flapping: z
    .strictObject({ ...disturbanceMembers, ok: requests, failing: requests })
    .superRefine(checkDisturbance)
    .exactOptional(),
  capacity: z
    .strictObject({
      ...disturbanceMembers,
      per_second: z.number().gt(0).max(1e6),
      burst: requests.exactOptional(),
    })
    .superRefine(checkDisturbance)
    .exactOptional(),
  faults: z.array(faultShare).min(1).max(100).superRefine(checkShares).exactOptional(),
};

const phase = z
  .strictObject({
    ...behaviour,
    name: z.string().min(1).max(64).exactOptional(),
    for_ms: positiveMs.exactOptional(),
  })
  .superRefine((given, context) => {
    if (given.for_ms === undefined) refuseRamps(given, context, 'only a phase with for_ms has a ramp');
  });

const outage = z
  .strictObject({
    ...disturbanceMembers,
    from_ms: z.number().min(0).max(1e10),
    until_ms: positiveMs.exactOptional(),
  })
  .superRefine(checkDisturbance)
  .refine(({ from_ms: from, until_ms: until }) => until === undefined || until > from, {
    path: ['until_ms'],
    message: 'must be after from_ms',
  });

const channel = z
  .strictObject({
    ...behaviour,
    phases: z.array(phase).min(1).max(1000).exactOptional(),
    loop: z.boolean().exactOptional(),
    outages: z.array(outage).min(1).max(1000).superRefine(checkWindows).exactOptional(),
  })
  .superRefine((given, context) => {
    refuseRamps(given, context, 'a ramp needs a phase with for_ms');
    if (given.loop === undefined || given.phases !== undefined) return;
    context.addIssue({ code: 'custom', path: ['loop'], message: 'there are no phases to begin again with' });
  });

const channelName = z
  .string()
  .regex(/^[A-Za-z0-9*][A-Za-z0-9*_.-]{0,63}$/, 'cannot be the name of a channel');

const seconds = z.number().min(0).max(1e6);

const drill = z.strictObject({
  for_s: z.number().gt(0).max(1e6),
  steps_at_s: z.array(seconds).min(1).max(1000).exactOptional(),
  well_from_s: seconds.exactOptional(),
  routes: z.array(z.string().min(1).max(64)).min(1).max(100).exactOptional(),
  thresholds: z.array(z.string().min(1).max(200)).min(1).max(100),
});

/** A scenario. Unknown members are rejected. */
export const scenarioSchema: z.ZodType<Scenario> = z.preprocess(
  withNewNames,
  z.strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'expected letters, digits and dashes'),
    description: z.string().max(4096).exactOptional(),
    seed: z.int().exactOptional(),
    rules: z.array(tenantRuleSchema).max(1000).exactOptional(),
    channels: z
      .record(channelName, channel)
      .refine((channels) => Object.keys(channels).length > 0, 'expected at least one channel'),
    drill: drill.exactOptional(),
  }),
) as unknown as z.ZodType<Scenario>;

/** Accepts the former names `scopes`, and `scope` for a tenant. */
function withNewNames(given: unknown): unknown {
  if (!isObject(given) || !('scopes' in given) || !Array.isArray(given.scopes)) return given;
  const { scopes, ...rest } = given;
  const rules = scopes.map((rule: unknown) => {
    if (!isObject(rule) || !('scope' in rule)) return rule;
    const { scope, ...others } = rule;
    return { ...others, tenant: scope };
  });
  return { ...rest, rules };
}

/** Outages must not overlap. Otherwise the effect would depend on the order of the list. */
function checkWindows(windows: readonly z.infer<typeof outage>[], context: z.core.$RefinementCtx): void {
  const byStart = [...windows.entries()].toSorted(([, one], [, other]) => one.from_ms - other.from_ms);
  let last = { index: -1, until: 0 };
  for (const [index, { from_ms: from, until_ms: until = Infinity }] of byStart) {
    if (from < last.until) {
      const message = `begins before outages[${last.index}] has ended`;
      context.addIssue({ code: 'custom', path: [index, 'from_ms'], message });
    }
    if (until > last.until) last = { index, until };
  }
}

/** Shares that may apply to the same request must add up to at most 1. Shares for selected requests are not added. */
function checkShares(shares: readonly z.infer<typeof faultShare>[], context: z.core.$RefinementCtx): void {
  for (const end of ['from', 'to'] as const) {
    const sum = shares
      .filter(({ when }) => when === undefined)
      .reduce((total, { rate: given = 1 }) => total + (typeof given === 'number' ? given : given[end]), 0);
    if (sum <= 1 + 1e-9) continue;
    context.addIssue({ code: 'custom', path: [], message: `the rates sum up to ${sum}, more than 1` });
    return;
  }
}

function refuseRamps(
  { faults = [] }: Pick<Behaviour, 'faults'> | (object & { faults?: unknown[] }),
  context: z.core.$RefinementCtx,
  message: string,
): void {
  for (const [at, { rate: given }] of (faults as FaultShare[]).entries()) {
    if (typeof given === 'object')
      context.addIssue({ code: 'custom', path: ['faults', at, 'rate'], message });
  }
}
