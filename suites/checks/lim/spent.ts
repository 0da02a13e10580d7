import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { readModelList } from '../../oracle/model-list.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { type Spending, spendings, spentAccount } from '../../steps/money/spent-accounts.ts';
import { formsOn, type ProtocolModel, protocolModelsOf } from '../../steps/protocols/protocol-model.ts';
import type { Exchange } from '../../wire/exchange.ts';

const titles: Readonly<Record<Spending, string>> = {
  credits: 'an account without credits',
  quota: 'an account out of monthly tokens',
};

interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/** One check for each way to run out: credits and quota. */
const refusedChecks: readonly Check[] = spendings.map((spending) =>
  defineCheck({
    id: `lim.spent.${spending}`,
    title: `${titles[spending]} gets 429 quota_exceeded on every path until it has more`,
    requirements: ['LIM-012', 'LIM-011'],
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
      const isOpen = list.response?.status === 200;
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
  const facings = protocolModelsOf(parts);
  const core = { ...facings[0], stream: false };
  const alone = { requirement: 'LIM-012', aspect: `${spending}-alone` };
  const everyKey = { requirement: 'LIM-011', aspect: 'every-key' };
  const everyPath = { requirement: 'LIM-011', aspect: 'every-path' };
  await judgeRefused(parts, { ...core, key: keys[0] }, alone, twin);
  for (const key of keys) await judgeRefused(parts, { ...core, key }, everyKey, twin);
  for (const protocolModel of facings)
    for (const stream of await formsOn(parts, protocolModel))
      for (const key of keys.slice(0, 2))
        await judgeRefused(parts, { ...protocolModel, stream, key }, everyPath, twin);
  if (refill === null) {
    judge.note('hooks.accounts is not declared: the spent account got no refill');
    return;
  }
  await refill();
  const model = target.anyModel();
  const again = await http.chat(newScene().minimal(model), { key: keys[0], label: 'after a refill' });
  judge.completed(again, { requirement: 'LIM-011', aspect: 'open-again', model });
}

async function judgeRefused(
  { cases, newScene, http, judge, target }: CheckParts,
  { protocol, model, stream, key }: ProtocolModel & { readonly stream: boolean; readonly key: string },
  rule: Rule,
  twin: Exchange | null,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const label = `${protocol.name}${stream ? ', stream' : ''}, a spent account`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream, key });
  judge.refused(exchange, { ...rule, codes: ['quota_exceeded'], ...(twin === null ? {} : { twin }) });
  if (target.profile.upstream !== undefined) await judgeNotForwarded(scene, rule.requirement, exchange);
}

/** The key of a fresh account like the spent one, with its own quota and credits; none where none can be made. */
async function neighbourKeys({ target, accounts }: CheckParts): Promise<string[]> {
  if (target.profile.hooks.accounts === undefined) return [];
  const { key } = await accounts.create({ credits: '1000', monthly_tokens: 1_000_000 });
  return [key];
}
