import { z } from 'zod';

/** The kinds of routes of `upstream.routes`, whose models a drill may call. */
const routeKinds = ['pair', 'trio', 'ranked', 'fallback', 'narrow', 'queued'] as const;

const seconds = z.number().min(0).max(1e6);

/** The part of a scenario file that a drill reads. */
const drillSection = z.strictObject({
  for_s: z.number().gt(0).max(1e6),
  steps_at_s: z.array(seconds).min(1).optional(),
  well_from_s: seconds.optional(),
  routes: z.array(z.enum(routeKinds)).min(1).optional(),
  thresholds: z.array(z.string()).min(1),
});

/** The members that the simulators validate themselves are read only as far as the page shows them. */
export const scenarioFile = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  channels: z.record(
    z.string(),
    z
      .looseObject({
        outages: z.array(z.looseObject({ from_ms: z.number(), until_ms: z.number().optional() })).optional(),
      })
      .nullable(),
  ),
  drill: drillSection.optional(),
});

export type DrillSection = z.infer<typeof drillSection>;
export type ScenarioFile = z.infer<typeof scenarioFile>;
