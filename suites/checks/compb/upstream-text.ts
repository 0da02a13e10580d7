import { defineCheck } from '../../engine/check.ts';
import { errorTextsOf } from '../../oracle/upstream-error-texts.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { judgeHidden } from '../../steps/failures/judge-hidden.ts';
import { compatB } from '../../steps/protocols/protocol.ts';
import { textStaysInside } from '../../steps/protocols/text-stays-inside.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, callName, formsB, gammaModel, gammaModels } from './served.ts';

const requirement = 'COMPB-016';

/** Requests that compat path B passes on and the upstream rejects. */
const rejections: Readonly<Record<string, object>> = {
  'an unknown member of generationConfig': { generationConfig: { zzFutureKnob: { deep: 1 } } },
  'a topK of zero': { generationConfig: { topK: 0 } },
  'six stop sequences': { generationConfig: { stopSequences: ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'] } },
  'an unknown tool': { tools: [{ zzFutureTool: {} }] },
  'a function without a name': { tools: [{ functionDeclarations: [{ description: 'Does nothing.' }] }] },
  'a cache that does not exist': { cachedContent: 'cachedContents/none' },
};

export const upstreamTextStaysInside = textStaysInside({
  id: 'compb.upstream.text',
  title: 'compat path B passes on no failure text of the upstream, only documented error codes',
  requirements: [requirement],
  needs: ['compat.b', 'upstream.control'],
  protocol: compatB,
  models: ({ target }) => gammaModels(target),
  requirement,
  judgeRefused: (judge, exchange, codes) => {
    refusedB(judge, exchange, { requirement, aspect: 'normalised', codes });
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
