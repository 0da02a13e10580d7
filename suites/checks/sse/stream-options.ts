import { defineCheck } from '../../engine/check.ts';
import { type Finding, must, part, revising } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

/** What other interfaces let a caller say about usage; here no opt-in is needed, and none opts out (SSE-009). */
const saidAboutUsage = [{ include_usage: false }, { include_usage: true }, {}, null] as const;

const usage = { prompt_tokens: 217, completion_tokens: 31 };

const refused = { requirement: 'SSE-023', aspect: 'refused-by-name' } as const;

export const usageComesAnyway = defineCheck({
  id: 'sse.usage.stream-options',
  title: 'the final chunk has the usage whatever stream_options says, unless the field is refused by name',
  requirements: ['SSE-023', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ newScene, cases, http, judge, target }) => {
    for (const model of dialectModels(target))
      for (const stream_options of saidAboutUsage)
        await part(async () => {
          cases.count();
          const scene = newScene();
          await scene.script({ text: 'one two three', usage });
          const label = `${model}, stream_options ${JSON.stringify(stream_options)}`;
          const body = { ...scene.minimal(model), stream: true, stream_options };
          const exchange = await http.chat(body, { label });
          if (exchange.response?.status === 400) {
            // The text does not list the field (reading B-11).
            const rule = { ...refused, codes: ['invalid_param'], param: 'stream_options' } as const;
            revising(asRefused, () => judge.refused(exchange, rule));
            return;
          }
          const rule = { requirement: 'SSE-023', aspect: 'streams-anyway', model };
          const seen = revising(ownAspect, () => judge.streamed(exchange, rule));
          const { prompt_tokens, completion_tokens } = seen.usage;
          must(prompt_tokens === usage.prompt_tokens && completion_tokens === usage.completion_tokens, {
            requirement: 'SSE-011',
            aspect: 'verbatim',
            expected: JSON.stringify(usage),
            actual: JSON.stringify(seen.usage),
            exchange,
          });
        });
  },
});

/** A refusal that names another field than the one it is about leaves the caller no way to a stream. */
function asRefused(finding: Finding): Finding {
  return finding.aspect === 'param' ? { ...finding, ...refused } : finding;
}

/** Names a missing usage for what takes it away here. */
function ownAspect(finding: Finding): Finding {
  return finding.aspect === 'usage-on-final-chunk'
    ? { ...finding, requirement: 'SSE-023', aspect: 'usage-whatever-is-said' }
    : finding;
}
