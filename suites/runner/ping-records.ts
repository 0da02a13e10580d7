import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Meter } from '../engine/meter.ts';
import { namesRequest, requestIdsOf } from '../engine/request-id.ts';
import { chatRequest } from '../engine/requests.ts';
import { type UsageRecord, usageRecordsWhere } from '../engine/usage-record.ts';
import type { Profile } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';

/** How long the record of the call may take to appear, and the interval between polls, ms. */
const postedWithinMs = 5_000;
const pollMs = 250;

/**
 * Tests with one short call that a record can be found by its answer. If not, returns the profile without the hooks that need
 * this, and one sentence for each.
 */
export async function pingRecords(
  profile: Profile,
  client: Pick<WireClient, 'send'>,
  [model]: readonly string[],
): Promise<{ kept: Profile; lost: string[] }> {
  const { usage, ledger } = profile.hooks;
  if ((usage === undefined && ledger === undefined) || model === undefined)
    return { kept: profile, lost: [] };
  const key = profile.tenants[0]?.keys.K1 ?? profile.keys.K1;
  const user = `gatecheck-${randomUUID()}`;
  const body = { model, messages: [{ role: 'user', content: 'Say something.' }], user };
  const timeoutMs = Math.min(profile.timeouts.answer_ms, 15_000);
  const exchange = await client.send({ ...chatRequest(body, {}, key), timeoutMs });
  // A call that is not served may have no record; the checks will judge it.
  if (exchange.response?.status !== 200) return { kept: profile, lost: [] };
  // The checks that use a hook report its wrong answers.
  const reason = await reasonOf(profile, exchange, key, user).catch(() => null);
  if (reason === null) return { kept: profile, lost: [] };
  const { usage: _usage, ledger: _ledger, ...hooks } = profile.hooks;
  const lost = (['usage', 'ledger'] as const).filter((name) => profile.hooks[name] !== undefined);
  return { kept: { ...profile, hooks }, lost: lost.map((name) => `hooks.${name}: ${reason}`) };
}

/** Why no record can be found by an answer; null when it can be, or when a record is simply missing. */
async function reasonOf(
  profile: Profile,
  exchange: Exchange,
  key: string,
  user: string,
): Promise<string | null> {
  const { request_id: header } = profile.http;
  if (!namesRequest(exchange, profile))
    return `answers carry no ${header}, by which the record of a request is found (http.request_id names the header)`;
  const until = performance.now() + postedWithinMs;
  for (;;) {
    const { isFound, other } = await look(profile, exchange, key, user);
    if (isFound) return null;
    if (other !== null)
      return `the ${header} of an answer is ${requestIdsOf(exchange, profile).join(', ')}, and its record has ${other}: something in front replaces it (http.request_id names another header)`;
    if (performance.now() >= until)
      return profile.hooks.usage === undefined ? unknownTo(profile, exchange) : null;
    await wait(pollMs);
  }
}

/** Without a usage log, a replaced id looks the same as a call that was never charged. */
function unknownTo(profile: Profile, exchange: Exchange): string {
  const ids = requestIdsOf(exchange, profile).join(', ');
  return `it knows nothing of ${ids}, the ${profile.http.request_id} of a served call (http.request_id names the header)`;
}

/** Whether a hook knows the ids of the answer, and under which other id the usage log has the call of this user. */
async function look(
  profile: Profile,
  exchange: Exchange,
  key: string,
  user: string,
): Promise<{ isFound: boolean; other: string | null }> {
  const { usage, ledger } = profile.hooks;
  if (ledger !== undefined) {
    const meter = new Meter({ profile, mainKey: key, signal: AbortSignal.timeout(postedWithinMs) });
    if ((await meter.entries(exchange)).length > 0) return { isFound: true, other: null };
  }
  if (usage === undefined) return { isFound: false, other: null };
  const ids = requestIdsOf(exchange, profile);
  const under = await Promise.all(ids.map((id) => usageRecordsWhere({ request_id: id }, profile)));
  if (under.flat().length > 0) return { isFound: true, other: null };
  const records: UsageRecord[] = await usageRecordsWhere({ end_user: user }, profile);
  return { isFound: false, other: records.find((record) => record.end_user === user)?.request_id ?? null };
}
