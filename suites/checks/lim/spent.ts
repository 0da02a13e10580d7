import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { readModelList } from '../../oracle/model-list.ts';
import { part } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { type Spending, spendings, spentAccount } from '../../steps/money/spent-accounts.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { judgeKeptBack, type Refused } from '../../steps/ways/held-ways.ts';
import { everyRefusalFrees, mustHoldNothing } from '../../steps/ways/slot-endings.ts';
import { chatWay, type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

const titles: Readonly<Record<Spending, string>> = {
  credits: 'an account without credits',
  quota: 'an account out of monthly tokens',
};

interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/** One check for each limit that an account can exhaust: credits and quota. */
const refusedChecks: readonly Check[] = spendings.map((spending) =>
  defineCheck({
    id: `lim.spent.${spending}`,
    title: `${titles[spending]} gets 429 quota_exceeded on every generating endpoint until it has more`,
    requirements: ['LIM-012', 'LIM-011', 'ERR-021', 'LIM-004'],
    kind: 'example',
    needs: ['spent'],
    run: (parts) => judgeSpent(parts, spending),
  }),
);

const spentAccountReads = defineCheck({
  id: 'lim.spent.reads',
  title: 'a spent account may list the models or gets 429 quota_exceeded there too (reading B-45)',
  requirements: ['LIM-014', 'ERR-021', 'EP-010'],
  kind: 'example',
  needs: ['spent'],
  run: async (parts) => {
    const { cases, target, http, newScene, judge } = parts;
    for (const spending of spendings) {
      cases.count();
      const { keys } = await spentAccount(parts, spending, 'LIM-011');
      const model = target.anyModel();
      const key = keys[0];
      const spent = await http.chat(newScene().minimal(model), { key, label: 'a spent account' });
      judge.refused(spent, { requirement: 'ERR-021', aspect: 'refused', codes: ['quota_exceeded'] });
      const list = await http.get('/api/v1/models', { key, label: 'a spent account reads' });
      const isOpen = isSuccess(list);
      judge.note(`without ${spending} the list of models is ${isOpen ? 'served' : 'refused'}`);
      if (isOpen) readModelList(list);
      else judge.refused(list, { requirement: 'ERR-021', aspect: 'reads-clean', codes: ['quota_exceeded'] });
    }
  },
});

export const spentAccountIsAlone = defineCheck({
  id: 'lim.spent.neighbour',
  title: "one account's spent quota or credits leave every other account alone",
  requirements: ['LIM-013'],
  kind: 'example',
  needs: ['spent', 'keys.K3'],
  run: async (parts) => {
    const { target, http, newScene, judge, accounts, cases } = parts;
    for (const spending of spendings) {
      const before = await neighbourKeys(parts);
      const { keys } = await spentAccount(parts, spending, 'LIM-013');
      const model = target.anyModel();
      const spent = await http.chat(newScene().minimal(model), { key: keys[0], label: 'the spent account' });
      judge.refused(spent, { requirement: 'LIM-013', aspect: 'spent-refused', codes: ['quota_exceeded'] });
      const others = [parts.keys.K1, accounts.key('K3'), ...before, ...(await neighbourKeys(parts))];
      for (const key of others) {
        cases.count();
        const exchange = await http.chat(newScene().minimal(model), { key, label: 'another account' });
        judge.completed(exchange, {
          requirement: 'LIM-013',
          aspect: `${spending}-of-another`,
          model,
          twin: spent,
        });
      }
    }
  },
});

export const spentChecks: readonly Check[] = [...refusedChecks, spentAccountReads, spentAccountIsAlone];

async function judgeSpent(parts: CheckParts, spending: Spending): Promise<void> {
  const { judge, target, http, newScene } = parts;
  const { keys, twin, refill } = await spentAccount(parts, spending, 'LIM-011');
  const core = chatWay(coreProtocol, target.anyModel(), false);
  const alone = { requirement: 'LIM-012', aspect: `${spending}-alone` };
  const everyKey = { requirement: 'LIM-011', aspect: 'every-key' };
  const everyPath = { requirement: 'LIM-011', aspect: 'every-path' };
  await part(async () => void (await judgeRefused(parts, { way: core, key: keys[0] }, alone, twin)));
  for (const key of keys)
    await part(async () => void (await judgeRefused(parts, { way: core, key }, everyKey, twin)));
  const ways = await waysOf(parts);
  const refused: Refused[] = [];
  // A refusal on one of them may keep the slot of the two keys' user.
  for (const way of ways)
    for (let round = 0; round <= target.profile.cap.value; round += 1) {
      const key = keys[round % Math.min(2, keys.length)] ?? keys[0];
      await part(async () => void refused.push(await judgeRefused(parts, { way, key }, everyPath, twin)));
    }
  // A task may reach its upstream late, so all are checked again.
  if (target.profile.upstream !== undefined) await judgeKeptBack(refused, 'LIM-011');
  if (refill === null) {
    judge.note('hooks.accounts is not declared: the spent account got no refill');
    return;
  }
  await refill();
  const model = target.anyModel();
  const again = await http.chat(newScene().minimal(model), { key: keys[0], label: 'after a refill' });
  judge.completed(again, { requirement: 'LIM-011', aspect: 'open-again', model });
  const media = target.profile.upstream === undefined ? [] : ways.filter(({ protocol }) => protocol === null);
  for (const way of media) {
    const label = `${way.name}, after a refill`;
    const exchange = await way.send(parts, way.body(newScene()), { label, key: keys[0] });
    way.judgeServed(parts, exchange, { requirement: 'LIM-011', aspect: 'open-again' });
  }
}

async function judgeRefused(
  parts: CheckParts,
  { way, key }: { readonly way: WayIn; readonly key: string },
  rule: Rule,
  twin: Exchange | null,
): Promise<Refused> {
  const { cases, newScene, judge, target } = parts;
  cases.count();
  const scene = newScene();
  const exchange = await way.send(parts, way.body(scene), {
    label: `${wayLabel(way)}, a spent account`,
    key,
  });
  mustHoldNothing(exchange, everyRefusalFrees);
  judge.refused(exchange, { ...rule, codes: ['quota_exceeded'], ...(twin === null ? {} : { twin }) });
  if (target.profile.upstream !== undefined) await judgeNotForwarded(scene, rule.requirement, exchange);
  return { scene, exchange };
}

/** The key of a new account like the exhausted one, with its own quota and credits; none where accounts cannot be created. */
async function neighbourKeys({ target, accounts }: CheckParts): Promise<string[]> {
  if (target.profile.hooks.accounts === undefined) return [];
  const { key } = await accounts.create({ credits: '1000', monthly_tokens: 1_000_000 });
  return [key];
}
