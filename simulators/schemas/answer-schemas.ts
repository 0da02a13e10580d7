import { z } from 'zod';
import { variedDialectNames } from '../answers/native-answer.ts';
import {
  callbackFactsSchema,
  factsSchema,
  jobFactsSchema,
  receiverFactsSchema,
} from '../control/fault-facts.ts';
import type { JobState } from '../control/job-shapes.ts';
import type { JournalAnswer } from '../control/journal.ts';
import type { CheckAnswer, ScriptState } from '../control/matching.ts';
import type { ClockAnswer, FaultsAnswer, HealthAnswer, VariantsAnswer } from '../control/protocol.ts';
import type { FaultRuleState, TenantRuleState } from '../control/rules.ts';
import type { ScenarioState } from '../control/scenario.ts';

/** The answers of the control API, for its document and the test that validates them. */

const count = z.int().nonnegative();
const ms = z.number();
const pairs = z.array(z.tuple([z.string(), z.string()]));
/** Replies, matches and bodies belong to the caller. */
const given = z.record(z.string(), z.unknown());

export const ok = z.strictObject({ ok: z.literal(true) });
export const id = z.strictObject({ id: z.string() });
export const health: z.ZodType<HealthAnswer> = z.strictObject({
  ok: z.literal(true),
  seed: z.int(),
  now_ms: ms,
  provider_url: z.string(),
});
export const clock: z.ZodType<ClockAnswer> = z.strictObject({ now_ms: ms, next_due_ms: ms.nullable() });
export const catalogue: z.ZodType<FaultsAnswer> = z.strictObject({
  faults: z.array(z.union([factsSchema, jobFactsSchema, callbackFactsSchema, receiverFactsSchema])),
});
export const variants: z.ZodType<VariantsAnswer> = z.strictObject({
  variants: z.array(
    z.strictObject({
      name: z.string(),
      dialect: z.enum(variedDialectNames),
      about: z.string(),
      source: z.url(),
      on: z.iso.date(),
    }),
  ),
});
export const tenantNames = z.strictObject({ tenants: z.array(z.string()) });
export const released = z.strictObject({ released: count });

const ruleState = z.strictObject({
  id: z.string(),
  tenant: z.string().exactOptional(),
  channel: z.string().exactOptional(),
  when: given,
});
export const rules = z.strictObject({ rules: z.array(ruleState as unknown as z.ZodType<TenantRuleState>) });

const scriptState = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  from_file: z.boolean(),
  match: given,
  used: count,
  replies: count,
}) as unknown as z.ZodType<ScriptState>;
export const scripts = z.strictObject({ scripts: z.array(scriptState) });

export const check: z.ZodType<CheckAnswer> = z.strictObject({
  unused: z.array(scriptState),
  unmet: z.array(z.strictObject({ id: z.string(), set: z.string(), when: given })),
  unexpected: z.array(z.strictObject({ n: count, method: z.string(), path: z.string(), why: z.string() })),
});

export const faultRules = z.strictObject({
  faults: z.array(
    z.strictObject({
      id: z.string(),
      when: given,
      reply: given,
      rate: z.number(),
      fired: count,
      times_left: count.nullable(),
      expires_at_ms: ms.nullable(),
    }) as unknown as z.ZodType<FaultRuleState>,
  ),
});

const phase = z.strictObject({ index: count, name: z.string().nullable(), since_ms: ms });
export const scenario: z.ZodType<ScenarioState> = z.strictObject({
  name: z.string(),
  seed: z.int(),
  began_at_ms: ms.nullable(),
  channels: z.record(z.string(), z.strictObject({ phase: phase.nullable() })),
});

const fault = z.strictObject({
  id: z.string(),
  form: z.string().nullable(),
  after: count.nullable(),
  applied: z.boolean(),
  fitted: z.enum(['usage', 'text', 'tool_calls']).exactOptional(),
  misfit: z.string().exactOptional(),
});

const draws = z.strictObject({
  seed: z.int(),
  scenario: z.string().nullable(),
  tenant: z.string(),
  route: z.string(),
  nth: count,
  disturbed_by: z.string().nullable(),
  drawn: z.record(z.string(), z.number()),
});

const entry = z.strictObject({
  n: count,
  tenant: z.string(),
  channel: z.string(),
  received_at_ms: ms,
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: pairs,
    body_base64: z.base64(),
    body_text: z.string().exactOptional(),
    complete: z.boolean(),
  }),
  reply: z.strictObject({
    script: z.string().nullable(),
    fault: fault.exactOptional(),
    variants: z.array(z.string()).exactOptional(),
    draws: draws.exactOptional(),
    status: z.int().nullable(),
    headers: pairs,
    waiting_at: z.string().nullable(),
    sends: z.array(z.strictObject({ label: z.string(), intended_ms: ms, actual_ms: ms, bytes: count })),
    body_base64: z.base64(),
    body_text: z.string().exactOptional(),
    ended: z.enum(['open', 'complete', 'cut', 'client-gone']),
    ended_at_ms: ms.nullable(),
  }),
});
export const journal: z.ZodType<JournalAnswer> = z.strictObject({
  satisfied: z.boolean(),
  entries: z.array(entry),
  dropped: count,
});

const report = z.strictObject({
  n: count,
  id: z.string(),
  kind: z.string(),
  tries: count,
  status: z.int().nullable(),
  answer: z.string(),
  at_ms: ms,
  faulted: z.string().nullable(),
});
export const job: z.ZodType<JobState> = z.strictObject({
  id: z.string(),
  channel: z.string(),
  dialect: z.enum(['jobs', 'callback-jobs']),
  model: z.string(),
  reference: z.string().nullable(),
  status: z.enum(['queued', 'running', 'success', 'failed', 'canceled']),
  submits: count,
  polls: count,
  downloads: count,
  created_at_ms: ms,
  parent: z.string().nullable(),
  request_n: count,
  reports: z.array(report),
  reports_open: count,
});
export const jobs = z.strictObject({ jobs: z.array(job) });
