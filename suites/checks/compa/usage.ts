import { defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { usageForms } from '../../generators/usage-forms.ts';
import { objectOf } from '../../oracle/native/json.ts';
import { must, part } from '../../rules/violation.ts';
import { answered, betaModels, streamsHere } from './message-calls.ts';

export const usageIsVerbatim = defineCheck({
  id: 'compa.usage.verbatim',
  title: "usage repeats the upstream's counts in the native fields, cache reads and writes apart",
  requirements: ['COMPA-016', 'COMPA-010'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    const { newScene, http, target, cases, judge } = parts;
    const ways = (await streamsHere(parts)) ? [false, true] : [false];
    for (const [at, form] of usageForms('messages').entries()) {
      const models = betaModels(target);
      for (const stream of ways)
        await part(async () => {
          const scene = newScene();
          await scene.script(form.reply(stream));
          const body = {
            ...scene.minimalA(models[at % models.length] ?? ''),
            ...(stream ? { stream } : {}),
          };
          const exchange = await http.compatA(body, { label: `${form.label}${stream ? ', streamed' : ''}` });
          const rule = { requirement: 'COMPA-016', aspect: 'served' };
          const answer = answered(cases, exchange, body, rule);
          const wrong = wrongCount(form.counts, answer.usage);
          must(wrong === null, {
            requirement: 'COMPA-016',
            aspect: 'cache-verbatim',
            expected: `${wrong?.name} ${wrong?.wanted} of ${form.label}`,
            actual: JSON.stringify(answer.usage),
            exchange,
          });
          judgeSlots(judge, form, answer.usage);
        });
    }
  },
});

/** The first count that differs from the upstream's. Absent cache counts may be left out or null. */
function wrongCount(
  counts: NativeCounts,
  usage: Readonly<Record<string, unknown>>,
): { name: string; wanted: number } | null {
  const { prompt_tokens: prompt, completion_tokens: output, cached_tokens: read = 0 } = counts;
  const { cache_write_tokens: written = 0 } = counts;
  const wanted = {
    input_tokens: prompt - read - written,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  };
  const wrong = Object.entries(wanted).find(([name, count]) => (usage[name] ?? 0) !== count);
  return wrong === undefined ? null : { name: wrong[0], wanted: wrong[1] };
}

/** Each lifetime's share of written tokens: optional, but it must be correct. */
function judgeSlots(
  judge: Judge,
  { counts, label }: { counts: NativeCounts; label: string },
  usage: Readonly<Record<string, unknown>>,
): void {
  if (label.includes('without the share')) return;
  const { cache_write_tokens: written = 0, cache_write_1h_tokens: hour = 0 } = counts;
  const slots = objectOf(usage.cache_creation);
  const finding = {
    requirement: 'COMPA-016',
    aspect: 'slots-verbatim',
    expected: `cache_creation with ${written - hour} for five minutes and ${hour} for an hour`,
    actual: JSON.stringify(usage),
  };
  if (Object.keys(slots).length === 0) {
    if (written > 0) judge.advise(finding);
    return;
  }
  must(
    (slots.ephemeral_5m_input_tokens ?? 0) === written - hour &&
      (slots.ephemeral_1h_input_tokens ?? 0) === hour,
    finding,
  );
}
