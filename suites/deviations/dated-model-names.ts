import { type Body, objectIn } from '../mutation/json.ts';
import { editAnswer, editChunks, type ProxyRequest } from '../mutation/mutation.ts';
import type { Deviation } from './deviation.ts';

/** Upstreams name the version that answered; some gateways pass that on. */
export const datedModelNames: Deviation = {
  id: 'dated-model-names',
  title: 'answers name the model with a date after it',
  requirement: 'RESP-004',
  checks: ['resp.shape.every-model'],
  undo: {
    answer: editAnswer((answer, _, request) => undate(answer, request)),
    events: (request) =>
      editChunks((chunk) => {
        undate(chunk, request);
        return [chunk];
      })(),
  },
};

const date = /-(?:\d{4}-\d\d-\d\d|\d{8})$/;

/** Only a date after the very name that was asked for is taken off: any other name is a defect of its own. */
function undate(answer: Body, request: ProxyRequest): void {
  const asked = objectIn(request.body)?.model;
  const { model } = answer;
  if (typeof model !== 'string' || typeof asked !== 'string') return;
  if (model.replace(date, '') === asked) answer.model = asked;
}
