import { defineCheck } from '../../engine/check.ts';
import { asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { type Finding, must, part, revising } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

/**
 * Values of stream_options in other APIs. Here usage needs no opt-in and has no opt-out (SSE-009). The first value shows
 * whether a deployment ignores the field.
 */
const saidAboutUsage = [{ include_usage: true }, { include_usage: false }, {}, null] as const;

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
            // The specification does not list the field (reading B-11).
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

/** Reports a refusal that names the wrong field under SSE-023. */
function asRefused(finding: Finding): Finding {
  return finding.aspect === 'param' ? { ...finding, ...refused } : finding;
}

/** Reports a missing usage under SSE-023, because stream_options caused it. */
function ownAspect(finding: Finding): Finding {
  return finding.aspect === 'usage-on-final-chunk'
    ? { ...finding, requirement: 'SSE-023', aspect: 'usage-whatever-is-said' }
    : finding;
}

const promptTokens = 12;
/** How many tokens each report counts beyond the one before. */
const step = 3;
const pieces = ['one ', 'two ', 'three'];

export const lastUsageCounts = defineCheck({
  id: 'sse.usage.running',
  title: 'when the upstream reports usage repeatedly, the last report is the one passed on',
  requirements: ['SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ newScene, cases, http, judge, target }) => {
    for (const model of dialectModels(target))
      await part(async () => {
        const scene = newScene();
        cases.count();
        const { events, completionTokens } = runningCounts(dialectOf(model));
        await scene.script(asStream(events));
        const label = `${model}, running`;
        const exchange = await http.chat({ ...scene.minimal(model), stream: true }, { label });
        const { usage } = judge.streamed(exchange, { ...streamAccepted, model });
        const isLast = usage.prompt_tokens === promptTokens && usage.completion_tokens === completionTokens;
        const rule = { requirement: 'SSE-011', aspect: 'verbatim', exchange };
        const expected = `${promptTokens} prompt_tokens and ${completionTokens} completion_tokens`;
        must(isLast, { ...rule, expected, actual: JSON.stringify(usage) });
      });
  },
});

/** A stream with a report in every event that may have one, each counting more output than the one before. */
function runningCounts(dialect: Dialect): { events: string[]; completionTokens: number } {
  let completionTokens = 0;
  const counted = (event: string): string => {
    completionTokens += step;
    return withCounts(dialect, event, completionTokens);
  };
  if (dialect !== 'messages') {
    const { opening, fragments, ending } = native(dialect).stream(pieces, { usage: null });
    const events = [...opening, ...fragments, ...ending].map((event) =>
      event.includes('[DONE]') ? event : counted(event),
    );
    return { events, completionTokens };
  }
  // In messages the start counts the input, and two end events each count all output so far.
  const usage = { prompt_tokens: promptTokens, completion_tokens: 0 };
  const { opening, fragments, ending } = native(dialect).stream(pieces, { usage });
  const last = ending.flatMap((event) => {
    if (!event.includes('message_delta')) return [event];
    const early = event.replace('"stop_reason":"end_turn"', '"stop_reason":null');
    return [counted(early), counted(event)];
  });
  return { events: [...opening, ...fragments, ...last], completionTokens };
}

function withCounts(dialect: Dialect, event: string, completion: number): string {
  const total = promptTokens + completion;
  switch (dialect) {
    case 'chat-completions':
      return withMember(event, {
        usage: { prompt_tokens: promptTokens, completion_tokens: completion, total_tokens: total },
      });
    case 'generate-content':
      return withMember(event, {
        usageMetadata: {
          promptTokenCount: promptTokens,
          candidatesTokenCount: completion,
          totalTokenCount: total,
        },
      });
    case 'messages':
      return event.replace(/"output_tokens":\d+/, `"output_tokens":${completion}`);
  }
}

function withMember(event: string, member: object): string {
  return event.replace('{', `${JSON.stringify(member).slice(0, -1)},`);
}
