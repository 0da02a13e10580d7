import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { modelsRoute } from '../../oracle/core-routes.ts';
import { Untestable } from '../../rules/violation.ts';
import { protocolModelsOf } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { callRoute, judgeServed } from '../../steps/routes/call-route.ts';
import { wayLabel } from '../../steps/ways/way-in.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';

/** How long before and after its expiry a key is used, ms. */
const beforeMs = 2_000;
const afterMs = 2_000;
const minuteMs = 60_000;

/** How often to try again when a slow machine misses the second. */
const maxTries = 3;

export const expiryIsExact = defineCheck({
  id: 'auth.key.expiry-second',
  title:
    'a key works two seconds before its expiry and gets 401 sk_expired on every endpoint two seconds after',
  requirements: ['AUTH-009', 'ERR-016'],
  kind: 'timing',
  needs: ['hooks.accounts', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      if (await judgeExpiry(parts)) return;
      parts.judge.note('the key expired before all calls ahead of the expiry were answered');
    }
    throw new Untestable(`answers to all endpoints within ${beforeMs} ms, as the key expires`);
  },
});

/** Returns false when the expiry passed before the calls ahead of it were answered, so nothing was judged. */
async function judgeExpiry(parts: CheckParts): Promise<boolean> {
  const { clock, rng, accounts, newScene, http, tasks, cases, judge } = parts;
  // The expiry is in the middle of a minute, so a gateway that rounds to minutes fails.
  const expiryMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 20_000 + rng.int(20) * 1_000;
  const { key } = await accounts.create({ keys: [{ expires_at: new Date(expiryMs).toISOString() }] });
  const facings = protocolModelsOf(parts);
  const ways = await waysOf(parts);
  const headers = { authorization: `Bearer ${key}` };
  await clock.elapse(expiryMs - beforeMs - clock.now());
  const served = await Promise.all(
    facings.map(async ({ protocol, model }) => {
      const body = protocol.body(newScene(), { model });
      const label = `${protocol.name}, ${beforeMs} ms before the expiry`;
      return { protocol, model, exchange: await protocol.send(http, model, body, { label, key }) };
    }),
  );
  const read = await callRoute(parts, modelsRoute, { label: `${beforeMs} ms before the expiry`, headers });
  if (clock.now() >= expiryMs) return false;
  const before = { requirement: 'AUTH-009', aspect: 'two-seconds-before' };
  for (const { protocol, model, exchange } of served) {
    cases.count();
    readSaid(judge, protocol, exchange, { ...before, model });
  }
  judgeServed(parts, modelsRoute, read, { ...before, model: '' });
  await clock.elapseTo(expiryMs + afterMs);
  const after = { requirement: 'AUTH-009', aspect: 'two-seconds-after', codes: ['sk_expired'] as const };
  const late = `${afterMs} ms after the expiry`;
  for (const way of ways) {
    cases.count();
    const options = { label: `${wayLabel(way)}, ${late}`, key };
    judge.refused(await way.send(parts, way.body(newScene()), options), after);
  }
  judge.refused(await callRoute(parts, modelsRoute, { label: late, headers }), after);
  judge.refused(await tasks.openRead('task_of_nobody', { label: late, key }).done, after);
  return true;
}
