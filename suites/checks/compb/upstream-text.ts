import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { tellingReply } from '../../generators/upstream-body.ts';
import {
  spreadOver,
  type UpstreamFailureCase,
  upstreamFailureCases,
  upstreamFailureExamples,
} from '../../generators/upstream-failure.ts';
import { errorTextsOf } from '../../oracle/upstream-error-texts.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { judgeHidden, judgeInRounds } from '../../steps/failures/judge-hidden.ts';
import { severalTenants, userInTurn } from '../../steps/tenants/side-by-side.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, callName, formsB, gammaModel, gammaModels, streamsB } from './served.ts';

const requirement = 'COMPB-016';

/** How long to look for a smaller failing case, ms. */
const shrinkMs = 60_000;

/** Requests that compat path B passes on and the upstream rejects. */
const rejections: Readonly<Record<string, object>> = {
  'an unknown member of generationConfig': { generationConfig: { zzFutureKnob: { deep: 1 } } },
  'a topK of zero': { generationConfig: { topK: 0 } },
  'six stop sequences': { generationConfig: { stopSequences: ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'] } },
  'an unknown tool': { tools: [{ zzFutureTool: {} }] },
  'a function without a name': { tools: [{ functionDeclarations: [{ description: 'Does nothing.' }] }] },
  'a cache that does not exist': { cachedContent: 'cachedContents/none' },
};

export const textStaysInside = defineCheck({
  id: 'compb.upstream.text',
  title: 'compat path B passes on no failure text of the upstream, only documented error codes',
  requirements: [requirement],
  kind: 'property',
  needs: ['compat.b', 'upstream.control'],
  // A gateway may rest a channel for minutes after some of these failures.
  clock: 'jump',
  tenants: severalTenants,
  run: async (parts) => {
    const models = gammaModels(parts.target);
    const streams = await streamsB(parts);
    await parts.cases.forAllTogether(
      upstreamFailureCases(models).map((failure) => ({ ...failure, stream: failure.stream && streams })),
      (failures) => judgeInRounds(parts, failures, requirement, judgeFailure),
      {
        quick: 4,
        full: 60,
        shrinkMs,
        examples: spreadOver(models, upstreamFailureExamples([''])).map((one) => ({
          ...one,
          stream: one.stream && streams,
        })),
      },
    );
  },
});

export const rejectionsAreOurs = defineCheck({
  id: 'compb.upstream.objections',
  title: 'upstream objections to passed-through content are reported in documented codes, not its text',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, target, judge } = parts;
    const model = gammaModel(target);
    for (const stream of await formsB(parts)) {
      for (const [label, more] of Object.entries(rejections)) {
        cases.count();
        await keepClosed(parts, model);
        const scene = newScene();
        const body = { ...scene.minimalB(), ...more };
        const exchange = await http.compatB(model, body, {
          stream,
          label: `${callName(model, stream)}: ${label}`,
        });
        const asked = await scene.requestsNow();
        const errorTexts = asked.flatMap(({ entry, text }) =>
          errorTextsOf(Buffer.from(entry.reply.body_base64, 'base64'), text),
        );
        const own = { requirement, aspect: 'objection-clean' };
        if (isSuccess(exchange)) {
          answeredB(judge, exchange, stream, { ...own, model });
          continue;
        }
        judgeHidden(exchange, errorTexts, requirement, label);
        refusedB(judge, exchange, { ...own, codes: ['invalid_param', 'upstream_error', 'channel_outage'] });
      }
    }
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
  await scene.script(tellingReply(form, canary, { dialect: 'generate-content', status }));
  const label = `${callName(model, stream)}: upstream ${status}, ${form}`;
  const exchange = await http.compatB(model, scene.minimalB(), {
    key: userInTurn(parts, nth),
    stream,
    label,
  });
  const secrets = [canary, ...(target.profile.upstream?.keys ?? [])];
  judgeHidden(exchange, secrets, requirement, `the upstream's ${status} (${form})`);
  refusedB(judge, exchange, { requirement, aspect: 'normalised', codes: codesFor(status) });
}
