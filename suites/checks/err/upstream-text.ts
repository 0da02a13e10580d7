import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { tellingReply } from '../../generators/upstream-body.ts';
import {
  type UpstreamFailureCase,
  upstreamFailureCases,
  upstreamFailureExamples,
} from '../../generators/upstream-failure.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { judgeHidden } from '../../steps/failures/judge-hidden.ts';
import { judgeInRounds } from '../../steps/failures/judge-in-rounds.ts';
import { severalTenants } from '../../steps/tenants/side-by-side.ts';
import { userInTurn } from '../../steps/tenants/user-in-turn.ts';

/** How long to look for a smaller failing case, ms. */
const shrinkMs = 60_000;

export const upstreamTextStaysInside = defineCheck({
  id: 'err.upstream.text',
  title: 'upstream error text never reaches the caller, who gets one of the documented codes',
  requirements: ['ERR-009', 'ERR-002', 'ERR-006'],
  kind: 'property',
  needs: ['upstream.control'],
  // A gateway may rest a channel for minutes after some of these failures.
  clock: 'jump',
  tenants: severalTenants,
  run: async (parts) => {
    const models = dialectModels(parts.target);
    await parts.cases.forAllTogether(
      upstreamFailureCases(models),
      (failures) => judgeInRounds(parts, failures, 'ERR-009', judgeFailure),
      { quick: 4, examples: upstreamFailureExamples(models), shrinkMs },
    );
  },
});

async function judgeFailure(
  parts: CheckParts,
  { model, status, form, stream }: UpstreamFailureCase,
  nth: number,
): Promise<void> {
  const { newScene, rng, http, target, judge, cases } = parts;
  cases.count();
  const scene = newScene();
  const canary = `canary${rng.hex(12)}`;
  await scene.script(tellingReply(form, canary, { dialect: dialectOf(model), status }));
  const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, {
    key: userInTurn(parts, nth),
    label: `${model}: upstream ${status}, ${form}${stream ? ', stream' : ''}`,
  });
  const secrets = [canary, ...(target.profile.upstream?.keys ?? [])];

  judgeHidden(exchange, secrets, 'ERR-009', `the upstream's ${status} (${form})`);
  judge.refused(exchange, { requirement: 'ERR-009', aspect: 'normalized', codes: codesFor(status) });
  if ((await scene.requestsNow()).length === 0) judge.note(`an upstream ${status} was not reached`);
}
