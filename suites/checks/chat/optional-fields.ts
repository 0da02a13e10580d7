import { defineCheck } from '../../engine/check.ts';
import { bodyOfLegal, type LegalRequest, legalChatRequest } from '../../generators/legal-chat-request.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';

export const anySubset = defineCheck({
  id: 'chat.optional.any-subset',
  title: 'any subset of the optional fields with legal values is accepted, the empty one included',
  requirements: ['CHAT-002'],
  kind: 'property',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    const nothing: LegalRequest = { model: target.anyModel(), history: [], options: {} };
    await cases.forAll(
      legalChatRequest(target.models),
      async (request) => {
        const body = bodyOfLegal(request, newScene().prompt());
        const label = `with ${Object.keys(request.options).join(', ') || 'nothing'}`;
        const exchange = await http.chat(body, { label });
        judgeAccepted(judge, body, exchange, { requirement: 'CHAT-002', aspect: 'subset-accepted' });
      },
      { quick: 25, full: 1_500, examples: [nothing] },
    );
  },
});

export const endsOfRange = defineCheck({
  id: 'chat.sampling.every-model',
  title: 'both ends of the range of temperature work on every enabled model',
  requirements: ['CHAT-012'],
  kind: 'example',
  needs: [],
  run: async ({ target, newScene, http, cases, judge }) => {
    for (const model of target.eachModel) {
      for (const extra of [{ temperature: 0 }, { temperature: 2 }]) {
        const body = { ...newScene().minimal(model), ...extra };
        const exchange = await http.chat(body, { label: `${JSON.stringify(extra)} on ${model}` });
        cases.count();
        judgeAccepted(judge, body, exchange, { requirement: 'CHAT-012', aspect: 'range-on-every-model' });
      }
    }
  },
});

export const eitherOrBoth = defineCheck({
  id: 'chat.sampling.both',
  title: 'temperature and top_p together are accepted, or refused by the name of one of them',
  requirements: ['CHAT-018'],
  kind: 'example',
  needs: [],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of familyModels(target))
      await part(async () => {
        cases.count();
        const body = { ...newScene().minimal(model), temperature: 0.7, top_p: 0.9 };
        const exchange = await http.chat(body, { label: `temperature and top_p on ${model}` });
        const rule = { requirement: 'CHAT-018', aspect: 'clean-either-way' };
        if (isSuccess(exchange)) judgeAccepted(judge, body, exchange, rule);
        else {
          const { param } = judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
          const field = param?.startsWith('top_p') ? 'top_p' : 'temperature';
          judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: field });
        }
      });
  },
});
