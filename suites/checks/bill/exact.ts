import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { declaredCharge } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { asNative, usageCounts } from '../../generators/usage-counts.ts';
import { dollarText } from '../../oracle/money.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import type { UsageCounts } from '../../oracle/price.ts';
import { must } from '../../rules/violation.ts';
import { charged } from '../../steps/money/priced-call.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { type CallForm, formsOf } from './call-forms.ts';
import { type MarkedUp, payersOf } from './payers.ts';

const requirement = 'BILL-002';

/** How many calls in a row share one script of the upstream. */
const callsInARow = 25;
const rowsAtOnce = { quick: 2, full: 10 } as const;
/** How long to look for a smaller failing case, ms. */
const shrinkMs = 15_000;

/** A call, as indices into the lists of models, payers and counts. */
interface ExactCase {
  readonly model: string;
  readonly form: number;
  readonly payer: number;
  readonly counts: UsageCounts;
}

interface Arranged {
  readonly form: CallForm | undefined;
  readonly payer: MarkedUp | undefined;
}

const none = { cached_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };

export const chargesAreExact = defineCheck({
  id: 'bill.charge.exact',
  title: 'every model, app and path charges exactly the declared prices, to the last digit',
  requirements: [requirement],
  kind: 'property',
  needs: ['upstream.control', 'charges', 'pricing.models'],
  run: async (parts) => {
    const payers = await payersOf(parts);
    const models = parts.target.models.filter(
      (model) => parts.target.profile.pricing.models?.[model] !== undefined,
    );
    const forms = new Map<string, readonly CallForm[]>();
    for (const model of models) forms.set(model, await formsOf(parts, model));
    const cases = models.map((model) =>
      fc.record<ExactCase>({
        model: fc.constant(model),
        form: fc.nat((forms.get(model)?.length ?? 1) - 1),
        payer: fc.nat(payers.length - 1),
        counts: usageCounts(dialectOf(model)),
      }),
    );
    await parts.cases.forAllTogether(
      fc.oneof(...cases),
      (values) =>
        priceAll(parts, values, (one) => ({
          form: forms.get(one.model)?.[one.form],
          payer: payers[one.payer],
        })),
      { quick: 16, full: 5_000, shrinkMs, examples: edges(models, payers) },
    );
  },
});

/** Makes all calls, some rows in parallel, and returns what was wrong with each. */
async function priceAll(
  parts: CheckParts,
  values: readonly ExactCase[],
  arrange: (one: ExactCase) => Arranged,
): Promise<readonly (Error | null)[]> {
  const errors: (Error | null)[] = values.map(() => null);
  // Scenes get their numbers in order here, so that a replay does not depend on timing.
  const rows = Array.from({ length: Math.ceil(values.length / callsInARow) }, (_, row) => ({
    from: row * callsInARow,
    scene: parts.newScene(),
  }));
  const work = async (): Promise<void> => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
      const { from, scene } = row;
      const calls = values.slice(from, from + callsInARow);
      await scene.script(
        ...calls.map(({ counts }) => ({ text: 'Counted.', usage: { ...asNative(counts) } })),
      );
      for (const [place, call] of calls.entries()) {
        errors[from + place] = await faultOf(() => judgeExact(parts, scene, call, arrange(call)));
        // After a failure the next calls would get the counts of another call.
        if (errors[from + place] !== null) break;
      }
    }
  };
  await Promise.all(Array.from({ length: rowsAtOnce[parts.cases.full ? 'full' : 'quick'] }, work));
  return errors;
}

async function judgeExact(
  { cases, http, meter, target }: CheckParts,
  scene: Scene,
  { model, counts }: ExactCase,
  { form, payer }: Arranged,
): Promise<void> {
  if (form === undefined || payer === undefined) throw new Error(`${model} cannot be called like this`);
  cases.count();
  cases.signal.throwIfAborted();
  const { protocol, stream } = form;
  const options = {
    label: `${model} on ${protocol.name}, ${JSON.stringify(counts)}`,
    stream,
    key: payer.key,
  };
  const send = () => protocol.send(http, model, protocol.body(scene, { model }), options);
  const { exchange, charge } = await charged(meter, send, { key: payer.key });
  const expected = 'a good answer';
  const actual = `HTTP ${exchange.response?.status}`;
  must(isSuccess(exchange), { requirement, aspect: 'accepted', expected, actual, exchange });
  const due = declaredCharge(target.profile, model, counts, payer.markupOf(model));
  must(charge === due, {
    requirement,
    aspect: 'exact-charge',
    expected: `${dollarText(due)} for ${JSON.stringify(counts)}`,
    actual: dollarText(charge),
    exchange,
  });
}

async function faultOf(work: () => Promise<void>): Promise<Error | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Small counts whose charge likely needs rounding, and on each model something of each kind. */
function edges(models: readonly string[], payers: readonly MarkedUp[]): ExactCase[] {
  const half = payers.findIndex(({ isHalf }) => isHalf);
  return models.flatMap((model, place) => {
    const writes =
      dialectOf(model) === 'messages' ? { cache_write_5m_tokens: 3, cache_write_1h_tokens: 5 } : {};
    const few = [1, 3].map((prompt_tokens) => ({ ...none, prompt_tokens, completion_tokens: 0 }));
    const mixed = { ...none, ...writes, prompt_tokens: 16, completion_tokens: place % 3, cached_tokens: 7 };
    return [
      ...few.map((counts) => ({ model, form: 0, payer: Math.max(0, half), counts })),
      { model, form: 1, payer: place % payers.length, counts: mixed },
    ];
  });
}
