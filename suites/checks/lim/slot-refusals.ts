import type { Reply } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { native } from '../../generators/native-answer.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { needServed } from '../../oracle/need-served.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { servedAgain } from '../../steps/failures/served-again.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { severalTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import { refusalsOf } from '../../steps/ways/refusals-of.ts';
import { mustHoldNothing, everyRefusalFrees as rule } from '../../steps/ways/slot-endings.ts';
import { chatWay } from '../../steps/ways/way-in.ts';
import { errorCodeOf } from '../../wire/exchange.ts';

/** An upstream failure, and the codes that it may cause. */
interface Failure {
  readonly label: string;
  /** The rule that an answer without this failure breaks. */
  readonly row: string;
  readonly codes: readonly ErrorCode[];
  readonly reply: (model: string, stream: boolean) => Reply;
}

const failures: readonly Failure[] = [
  {
    label: 'a blocked prompt',
    row: 'ERR-027',
    codes: ['content_filter'],
    reply: (model, stream) => native(dialectOf(model)).blocked(stream),
  },
  ...[401, 404, 429, 503].map((status) => ({
    label: String(status),
    row: 'ERR-029',
    codes: codesFor(status),
    reply: () => ({ status, body: 'no' }),
  })),
  {
    label: '200',
    row: 'ERR-029',
    codes: codesFor(200),
    reply: () => ({ status: 200, body: 'no completion' }),
  },
];

const isByCap = (code: string): boolean => code === 'concurrency_exceeded';

/** Successful calls after each refused one, which keep the breaker closed. */
const goodCalls = 2;

export const everyRefusalFrees = defineCheck({
  id: 'lim.slot.every-refusal',
  title: 'the slot is free again after any kind of refusal, repeated as often as the cap counts',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: [],
  run: async (parts) => {
    const { target, judge } = parts;
    const refusals = refusalsOf(parts, chatWay(coreProtocol, target.anyModel(), false));
    for (const { code, send } of target.few(refusals))
      await refuseAgain(parts, async () => {
        const refusal = await send().done;
        if (code === null) mustHoldNothing(refusal, rule);
        else judge.known(refusal, { code, own: rule, blames: isByCap });
      });
  },
});

export const everyUpstreamFailureFrees = defineCheck({
  id: 'lim.slot.every-upstream-failure',
  title: 'the slot is free again after any kind of upstream failure, plain and streamed',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  // A gateway may cool the channel down for minutes after some of these failures.
  clock: 'jump',
  tenants: severalTenants,
  run: async (parts) => {
    await sideBySide(parts, failures, judgeFailure);
  },
});

export const slotRefusalChecks: readonly Check[] = [everyRefusalFrees, everyUpstreamFailureFrees];

async function judgeFailure(parts: CheckParts, { label, row, codes, reply }: Failure): Promise<void> {
  const { newScene, target, http, judge } = parts;
  let stream = false;
  await refuseAgain(parts, async () => {
    stream = !stream;
    const scene = newScene();
    const model = target.anyModel();
    await keepClosed(parts, model);
    await scene.script(reply(model, stream));
    const body = { ...scene.minimal(model), stream };
    const refusal = await http.openChat(body, { label: `the upstream answers ${label}` }).done;
    const isOwn = isByCap(String(errorCodeOf(refusal)));
    judge.refused(refusal, { ...(isOwn ? rule : { requirement: row, aspect: 'provoked' }), codes });
    await servedAgain(parts, [model], rule);
  });
}

/** Makes one refused call more than the cap. The successful calls in between need a free slot. */
async function refuseAgain(
  { target, cases, http, newScene, judge }: CheckParts,
  refuse: () => Promise<void>,
): Promise<void> {
  for (let round = 0; round <= target.profile.cap.value; round += 1) {
    cases.count();
    await refuse();
    for (let call = 0; call < goodCalls; call += 1) {
      const model = target.anyModel();
      const exchange = await http.openChat(newScene().minimal(model), { label: 'a slot is left' }).done;
      if (!isByCap(String(errorCodeOf(exchange)))) needServed(exchange, 'twin-served');
      judge.completed(exchange, { ...rule, model });
    }
  }
}
