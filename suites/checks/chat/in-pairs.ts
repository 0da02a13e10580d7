import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { coveringArray } from '../../generators/covering-array.ts';
import { type ChatFault, chatFaults, type FaultPlace, faultPlaces } from '../../generators/one-fault.ts';
import { wholeChatBody } from '../../generators/whole-chat-body.ts';
import { part } from '../../rules/violation.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import { inTurnsOfUsers } from '../../steps/fields/in-turns.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The rest of the request: nothing, or every other field. */
const companies = ['bare', 'full'] as const;

interface FaultyCase {
  readonly fault: ChatFault;
  readonly model: string;
  readonly stream: boolean;
  readonly company: (typeof companies)[number];
  readonly place: FaultPlace;
}

export const oneFaultInAnyPair: Check = defineCheck({
  id: 'chat.pairs.one-fault',
  title: 'one invalid field is refused by name: streamed or not, in any family, at any place of a list',
  requirements: ['CHAT-049'],
  kind: 'property',
  needs: [],
  run: async (parts) => {
    const { http, newScene, judge, target, cases, rng } = parts;
    const model = target.anyModel();
    const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
    judge.completed(twin, { requirement: 'CHAT-001', aspect: 'minimal-works', model });
    const [family, ...families] = familyModels(target);
    const shared = {
      model: [family ?? model, ...families] as const,
      stream: [false, true] as const,
      company: companies,
    };
    const inLists = chatFaults.filter(({ isPlaced }) => isPlaced);
    const whole = chatFaults.filter(({ isPlaced }) => !isPlaced);
    const rows: FaultyCase[] = [
      ...coveringArray({ ...shared, fault: some(inLists), place: faultPlaces }, rng, cases.full ? 3 : 2),
      ...coveringArray({ ...shared, fault: some(whole) }, rng).map(
        (row): FaultyCase => ({ ...row, place: 'first' }),
      ),
    ];
    await inTurnsOfUsers(
      parts,
      target.few(rows, ({ model }) => model),
      (row, key) => judgeFault(parts, row, { twin, key }),
    );
  },
});

async function judgeFault(
  parts: CheckParts,
  row: FaultyCase,
  { twin, key }: { readonly twin: Exchange; readonly key: string },
): Promise<void> {
  const { cases, http, newScene, judge } = parts;
  cases.count();
  const { fault, model, stream, company, place } = row;
  const where = fault.isPlaced ? ` in the ${place} place` : '';
  const label = `${fault.title}${where}, ${company}, on ${model}${stream ? ', stream' : ''}`;
  const legal = company === 'bare' ? newScene().minimal(model) : inCompany(parts, model, fault);
  const body = { ...fault.apply(legal, place), ...(stream && fault.field !== 'stream' ? { stream } : {}) };
  const exchange = await http.chat(body, { key, label });
  await part(async () => {
    const rule = { requirement: 'CHAT-049', aspect: 'refused-in-any-company' };
    const refused = { ...rule, codes: ['invalid_param'], twin } as const;
    // A gateway may refuse the two together (reading B-12), and then either name is right.
    const isPair = 'temperature' in body && 'top_p' in body;
    const own = isPair ? { aspect: 'refused-beside-other-sampling' } : { param: fault.field };
    judge.refused(exchange, { ...refused, ...own });
  });
}

/** Every other field; of the sampling the one that the fault leaves legal. */
function inCompany({ rng, newScene }: CheckParts, model: string, { field }: ChatFault): JsonObject {
  const prompt = newScene().prompt();
  const body = wholeChatBody(rng, { model, prompt, kind: 'json', vision: false, length: 64 });
  const kept = Object.entries(body).filter(([name]) => name === 'messages' || name !== field);
  const sampling = { temperature: { top_p: 0.5 }, top_p: { temperature: 0.7 } }[field];
  if (sampling === undefined) return Object.fromEntries(kept);
  const others = kept.filter(([name]) => name !== 'temperature' && name !== 'top_p');
  return { ...Object.fromEntries(others), ...sampling };
}

function some(faults: readonly ChatFault[]): [ChatFault, ...ChatFault[]] {
  const [first, ...others] = faults;
  if (first === undefined) throw new Error('there are no faults to try');
  return [first, ...others];
}
