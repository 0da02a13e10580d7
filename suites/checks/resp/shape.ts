import { defineCheck } from '../../engine/check.ts';
import { plainAccepted } from '../../oracle/accepted.ts';

export const plainAnswerHasItsShape = defineCheck({
  id: 'resp.shape.every-model',
  title: 'a plain answer has all its members with the right types and ranges, on every model',
  requirements: [
    'RESP-008',
    'RESP-002',
    'RESP-003',
    'RESP-004',
    'RESP-006',
    'RESP-007',
    'RESP-009',
    'RESP-014',
    'RESP-015',
    'RESP-019',
    'RESP-020',
    'RESP-021',
    'RESP-023',
  ],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, http, newScene, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const exchange = await http.chat(newScene().minimal(model), { label: model });
      judge.completed(exchange, { ...plainAccepted, model });
    }
  },
});
