import { type Check, type CheckFacts, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { tellingReply } from '../../generators/upstream-body.ts';
import {
  spreadOver,
  type UpstreamFailureCase,
  upstreamFailureCases,
  upstreamFailureExamples,
} from '../../generators/upstream-failure.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { judgeHidden, judgeInRounds } from '../failures/judge-hidden.ts';
import { severalTenants, userInTurn } from '../tenants/side-by-side.ts';
import { coreProtocol, type Protocol } from './protocol.ts';
import { formsOn } from './protocol-model.ts';

type Facts = Pick<CheckFacts, 'id' | 'title' | 'requirements' | 'needs'>;

interface TextRules extends Facts {
  readonly protocol: Protocol;
  /** The models whose upstreams fail. */
  readonly models: (parts: CheckParts) => readonly string[];
  /** The rule about the upstream's text. */
  readonly requirement: string;
  readonly judgeRefused: (judge: Judge, exchange: Exchange, codes: readonly ErrorCode[]) => void;
}

/** How long to look for a smaller failing case, ms. */
const shrinkMs = 60_000;

/** The check of one protocol: whatever a failing upstream says, its text stays inside, and the code is documented. */
export function textStaysInside({ protocol, models, requirement, judgeRefused, ...facts }: TextRules): Check {
  const judgeFailure = async (
    parts: CheckParts,
    { model, status, form, stream }: UpstreamFailureCase,
    nth: number,
  ): Promise<void> => {
    const { newScene, rng, http, target, judge, cases } = parts;
    cases.count();
    const scene = newScene();
    const canary = `canary${rng.hex(12)}`;
    await scene.script(tellingReply(form, canary, { dialect: dialectOf(model), status }));
    const label = `${model}: upstream ${status}, ${form}${stream ? ', stream' : ''}`;
    const options = { key: userInTurn(parts, nth), stream, label };
    const exchange = await protocol.send(http, model, protocol.body(scene, { model }), options);
    const secrets = [canary, ...(target.profile.upstream?.keys ?? [])];
    judgeHidden(exchange, secrets, requirement, `the upstream's ${status} (${form})`);
    judgeRefused(judge, exchange, codesFor(status));
  };
  return defineCheck({
    ...facts,
    kind: 'property',
    // A gateway may rest a channel for minutes after some of these failures.
    clock: 'jump',
    tenants: severalTenants,
    run: async (parts) => {
      const all = models(parts);
      const forms = await formsOn(parts, { protocol, model: all[0] ?? '' });
      const inForm = (one: UpstreamFailureCase) => ({ ...one, stream: one.stream && forms.includes(true) });
      // Where all speak one dialect, each failure need be seen on one of them only.
      const examples =
        protocol === coreProtocol
          ? upstreamFailureExamples(all)
          : spreadOver(all, upstreamFailureExamples(['']));
      await parts.cases.forAllTogether(
        upstreamFailureCases(all).map(inForm),
        (failures) => judgeInRounds(parts, failures, requirement, judgeFailure),
        { quick: 4, examples: examples.map(inForm), shrinkMs },
      );
    },
  });
}
