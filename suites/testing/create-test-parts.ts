import { DegradedModels } from '../engine/degraded-models.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import { CheckRecord } from '../engine/parts/check-record.ts';
import { CheckSender } from '../engine/parts/check-sender.ts';
import { type CheckContext, createCheckParts } from '../engine/parts/create-check-parts.ts';
import type { LeasedTenant } from '../engine/parts/tenant.ts';
import { ServedCalls } from '../engine/served-calls.ts';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';

interface TestParts extends CheckParts {
  readonly record: CheckRecord;
  readonly degraded: DegradedModels;
}

/** The parts of a check on a deployment with one chat model, and their record. */
export function createTestParts(
  profileInput: Partial<ProfileInput> = {},
  more: Partial<CheckContext> = {},
): TestParts {
  const profile = profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-1' },
    ...profileInput,
  });
  const degraded = new DegradedModels(profile);
  const served = new ServedCalls();
  const bare = { keys: profile.keys, channels: {}, upstream: null, webhookSecret: null, degraded, served };
  const tenant: LeasedTenant = { name: 'one', ...bare };
  const record = new CheckRecord();
  const context: CheckContext = {
    checkId: 'a.b.c',
    seed: 1,
    size: 'quick',
    path: null,
    profile,
    tenants: [tenant, { name: 'two', ...bare }],
    ownTenant: true,
    models: ['alpha-5-2'],
    mediaModels: [],
    client: {} as WireClient,
    signal: new AbortController().signal,
    clock: null,
    timeline: null,
    slots: null,
    traffic: null,
    inFlight: null,
    drawsPace: false,
    receiver: null,
    budget: { spend: () => undefined, countTooLong: () => undefined, pay: () => undefined },
    ...more,
  };
  return { ...createCheckParts(context, record, new CheckSender(context, record)), record, degraded };
}
