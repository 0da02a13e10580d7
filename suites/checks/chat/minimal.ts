import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { mediaType, outcomeOf } from '../../wire/exchange.ts';

export const minimalWorks = defineCheck({
  id: 'chat.minimal.every-model',
  title: 'a model and one user message are enough on every enabled chat model',
  requirements: ['CHAT-001'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, http, newScene, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const exchange = await http.chat(newScene().minimal(model), { label: `minimal on ${model}` });
      const answer = judge.completed(exchange, { requirement: 'CHAT-001', aspect: 'minimal-works', model });
      const rule = { requirement: 'CHAT-001', aspect: 'answers-with-text', exchange };
      const expected = 'text in answer to a plain question';
      const actual = JSON.stringify(answer.content);
      must(answer.content !== null && answer.content !== '', { ...rule, expected, actual });
    }
  },
});

export const streamIsOptIn = defineCheck({
  id: 'chat.stream.default',
  title: 'without stream or with stream false the answer is one JSON document, with true a stream',
  requirements: ['CHAT-024'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, http, newScene, judge }) => {
    const model = target.anyModel();
    for (const [label, extra] of [
      ['stream left out', {}],
      ['stream false', { stream: false }],
    ] as const) {
      cases.count();
      const exchange = await http.chat({ ...newScene().minimal(model), ...extra }, { label });
      const rule = { requirement: 'CHAT-024', aspect: 'plain-by-default', exchange };
      const expected = `${label}: one JSON document`;
      const actual = `${outcomeOf(exchange)} with an event stream`;
      must(mediaType(exchange) !== 'text/event-stream', { ...rule, expected, actual });
      judge.completed(exchange, { requirement: 'CHAT-024', aspect: 'plain-accepted', model });
    }
    const body = { ...newScene().minimal(model), stream: true };
    const streamed = await http.chat(body, { label: 'stream true' });
    judge.streamed(streamed, { requirement: 'CHAT-024', aspect: 'stream-accepted', model });
  },
});
