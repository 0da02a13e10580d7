import { defineCheck } from '../../engine/check.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';
import { mediaType } from '../../wire/exchange.ts';

export const streamFlagDecides = defineCheck({
  id: 'sse.stream-flag.decides',
  title: 'stream true gives an event stream; false or no stream field gives a plain completion',
  requirements: ['SSE-019'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { target, newScene, rng, http, judge } = parts;
    for (const model of target.models) {
      const body = newScene().minimal(model);
      const cases = [
        { label: 'without stream', more: {}, wanted: 'application/json' },
        { label: 'stream false', more: { stream: false }, wanted: 'application/json' },
        { label: 'stream true', more: { stream: true }, wanted: 'text/event-stream' },
      ];
      for (const { label, more, wanted } of cases) {
        parts.cases.count();
        // What the caller would rather accept does not decide.
        const accept = rng.pick(['*/*', 'application/json', 'text/event-stream']);
        const exchange = await http.chat(
          { ...body, ...more },
          { label: `${model} ${label}`, headers: { accept } },
        );
        must(exchange.response?.status !== 200 || mediaType(exchange) === wanted, {
          requirement: 'SSE-019',
          aspect: 'form-follows-flag',
          expected: `${wanted} (the caller accepts ${accept})`,
          actual: mediaType(exchange) || '(no content type)',
          exchange,
        });
        if (wanted === 'application/json') judge.completed(exchange, { ...plainAccepted, model });
        else judge.streamed(exchange, { ...streamAccepted, model });
      }
    }
  },
});
