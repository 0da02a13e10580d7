import type { CheckParts } from '../engine/parts/check-parts.ts';
import { CheckRecord } from '../engine/parts/check-record.ts';
import { type CheckSurroundings, createCheckParts } from '../engine/parts/create-check-parts.ts';
import type { LeasedLane } from '../engine/parts/lane.ts';
import { Wear } from '../engine/wear.ts';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';

interface TestParts extends CheckParts {
  readonly record: CheckRecord;
  readonly wear: Wear;
}

/** The parts of a check on a deployment with one chat model, and what it records. */
export function createTestParts(
  profileInput: Partial<ProfileInput> = {},
  more: Partial<CheckSurroundings> = {},
): TestParts {
  const profile = profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-1' },
    ...profileInput,
  });
  const wear = new Wear(profile);
  const bare = { keys: profile.keys, channels: {}, upstream: null, webhookSecret: null, wear };
  const lane: LeasedLane = { name: 'one', ...bare };
  const record = new CheckRecord();
  const surroundings: CheckSurroundings = {
    checkId: 'a.b.c',
    seed: 1,
    size: 'quick',
    path: null,
    profile,
    lanes: [lane, { name: 'two', ...bare }],
    ownLane: true,
    models: ['alpha-5-2'],
    mediaModels: [],
    client: {} as WireClient,
    signal: new AbortController().signal,
    clock: null,
    receiver: null,
    spend: () => undefined,
    ...more,
  };
  return { ...createCheckParts(surroundings, record), record, wear };
}
