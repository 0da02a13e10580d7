import { defineCheck } from '../../engine/check.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';
import { isSuccess, mediaType } from '../../wire/exchange.ts';

export const streamFlagDecides = defineCheck({
  id: 'sse.stream-flag.decides',
  title: 'stream true gives an event stream; false or no stream field gives a plain completion',
  requirements: ['SSE-019'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { target, newScene, rng, http, judge } = parts;
    for (const model of target.eachModel) {
      const body = newScene().minimal(model);
      const cases = [
        { label: 'without stream', more: {}, wanted: 'application/json' },
        { label: 'stream false', more: { stream: false }, wanted: 'application/json' },
        { label: 'stream true', more: { stream: true }, wanted: 'text/event-stream' },
      ];
      for (const { label, more, wanted } of cases) {
        parts.cases.count();
        // The Accept header does not decide.
        const accept = rng.pick(['*/*', 'application/json', 'text/event-stream']);
        const options = { label: `${model} ${label}`, headers: { accept } };
        const exchange = await http.chat({ ...body, ...more }, options);
        const type = mediaType(exchange) || '(no content type)';
        const rule = { requirement: 'SSE-019', aspect: 'form-follows-flag', exchange };
        const expected = `${wanted} (the caller accepts ${accept})`;
        // Another type than JSON is a matter of the answer's own rule, as long as it is no stream.
        const follows = wanted === 'text/event-stream' ? type === wanted : type !== 'text/event-stream';
        must(!isSuccess(exchange) || follows, { ...rule, expected, actual: type });
        if (wanted === 'application/json') judge.completed(exchange, { ...plainAccepted, model });
        else judge.streamed(exchange, { ...streamAccepted, model });
      }
    }
  },
});
