import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../../engine/check.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { namesRequest } from '../../../engine/request-id.ts';
import {
  cellsOf,
  type FaultCell,
  type FaultFacts,
  loadFaults,
  type Verdict,
  verdictOf,
} from '../../../oracle/faults/fault-facts.ts';
import type { ScriptedAnswer } from '../../../oracle/faults/fault-verdict.ts';
import type { Pico } from '../../../oracle/money.ts';
import { dialectOf } from '../../../oracle/native/dialects.ts';
import { part } from '../../../rules/violation.ts';
import { dialectModels } from '../../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../../steps/failures/breaker-budget.ts';
import type { Exchange } from '../../../wire/exchange.ts';
import { takesTime } from '../cells.ts';
import { chargeBounds, declaredPrice, judgeBounds, receivedIn, unnamed } from '../charge.ts';
import { faultMember, goodReply, requestFor, scriptedReply } from '../scripted-answer.ts';

const charges = ['nothing', 'reported', 'known'] as const;
const calls = ['plain', 'stream'] as const;

interface Met {
  readonly facts: FaultFacts;
  readonly cell: FaultCell;
}

interface Weighed {
  readonly model: string;
  readonly cell: FaultCell;
  readonly scripted: ScriptedAnswer;
  readonly replies: readonly Reply[];
  readonly verdict: Pick<Verdict, 'charge' | 'attempts'>;
}

/** Charges of a few faults by any view of charges; each fault's own check judges them only by a ledger. */
export const faultsAreChargedByUsage = defineCheck({
  id: 'faults.charges.by-usage',
  title: 'a failed call costs nothing, a served one its usage, a broken stream at most usage so far',
  requirements: ['BILL-008', 'BILL-009', 'BILL-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const faults = loadFaults().filter(
      (facts) => facts.scenario === undefined && facts.listener === undefined && !takesTime(facts),
    );
    for (const model of dialectModels(parts.target))
      await part(async () => {
        for (const call of calls) {
          for (const charge of charges) {
            const met = faults.flatMap((facts) => cellsLike(facts, model, call, charge));
            if (met.length > 0) await judgeFault(parts, model, parts.rng.pick(met));
          }
          await judgeRetried(parts, model, { dialect: dialectOf(model), call, form: null });
        }
      });
  },
});

function cellsLike(
  facts: FaultFacts,
  model: string,
  call: FaultCell['call'],
  charge: Verdict['charge'],
): Met[] {
  return cellsOf(facts)
    .filter((cell) => cell.dialect === dialectOf(model) && cell.call === call)
    .filter((cell) => verdictOf(facts, cell).charge === charge)
    .map((cell) => ({ facts, cell }));
}

async function judgeFault(parts: CheckParts, model: string, { facts, cell }: Met): Promise<void> {
  const { reply, scripted } = scriptedReply(facts);
  const replies = [{ ...reply, ...faultMember(facts, cell) }];
  await judgeAnswer(parts, { model, cell, scripted, replies, verdict: verdictOf(facts, cell) });
}

/** A first attempt that fails and a second one that is served are charged once. */
async function judgeRetried(parts: CheckParts, model: string, cell: FaultCell): Promise<void> {
  const { reply, scripted } = goodReply();
  await judgeAnswer(parts, {
    model,
    cell,
    scripted,
    replies: [{ status: 500, body: 'no' }, reply],
    verdict: { charge: 'reported', attempts: [2, 2] },
  });
}

async function judgeAnswer(
  parts: CheckParts,
  { model, cell, scripted, replies, verdict }: Weighed,
): Promise<void> {
  const { cases, newScene, meter, http, judge, target } = parts;
  cases.count();
  await keepClosed(parts, model, Math.max(1, verdict.attempts[1]));
  const scene = newScene();
  await scene.script(...replies);
  const sent: Exchange[] = [];
  const charge = await meter.charged(async () => {
    const exchange = await http.chat(requestFor(scene, model, scripted, cell), {
      label: `${cell.call}, ${model}`,
    });
    sent.push(exchange);
    return namesRequest(exchange, target.profile) ? exchange : [];
  });
  const [exchange] = sent;
  if (exchange === undefined) throw new Error('nothing was weighed');
  if (meter.byRequest && !namesRequest(exchange, target.profile)) {
    judge.note(unnamed);
    return;
  }
  const requests = (await scene.requestsNow()).length;
  const whole = await wholePrice(parts, model, scripted);
  const bounds = chargeBounds({ verdict, scripted }, receivedIn(exchange, { cell }), (usage) =>
    usage === scripted.usage ? whole : declaredPrice(parts, { model, key: parts.keys.K1 }, usage),
  );
  judgeBounds(charge, bounds, { requests, verdict }, exchange);
}

/** The price of all scripted counts: declared, or measured with a successful call of equal counts. */
async function wholePrice(parts: CheckParts, model: string, scripted: ScriptedAnswer): Promise<Pico> {
  const { keys, newScene, meter, http } = parts;
  const declared = declaredPrice(parts, { model, key: keys.K1 }, scripted.usage);
  if (declared !== null) return declared;
  const scene = newScene();
  await scene.script({ text: 'Counted.', usage: scripted.usage });
  return meter.charged(() => http.chat(scene.minimal(model), { label: 'a good call with the same counts' }));
}
