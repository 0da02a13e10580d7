import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { usageForms } from '../../generators/usage-forms.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import type { Usage } from '../../oracle/completion.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { part } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { dialectModels } from '../chat/upstream-view.ts';

/** The usage that the caller saw for an upstream's count. */
export interface ReportedUsage {
  readonly counts: NativeCounts;
  readonly usage: Usage;
  readonly exchange: Exchange;
  readonly streamed: boolean;
}

/** Tries every form of usage of every dialect, non-streamed and streamed. */
export async function withEachUsageForm(
  parts: CheckParts,
  judge: (reported: ReportedUsage) => void,
): Promise<void> {
  const { cases, newScene, http, target } = parts;
  for (const model of dialectModels(target)) {
    const tried = new Set<string>();
    for (const { label, counts, reply } of usageForms(dialectOf(model))) {
      for (const streamed of [false, true]) {
        const answer = reply(streamed);
        // Some forms differ from others only in a stream, or only in a whole answer.
        const text = JSON.stringify(answer);
        if (tried.has(text)) continue;
        tried.add(text);
        cases.count();
        const scene = newScene();
        await scene.script(answer);
        const body = { ...scene.minimal(model), ...(streamed ? { stream: true } : {}) };
        const exchange = await http.chat(body, { label: `${model}: ${label}` });
        await part(async () => {
          const { usage } = streamed
            ? parts.judge.streamed(exchange, { ...streamAccepted, model })
            : parts.judge.completed(exchange, { ...plainAccepted, model });
          judge({ counts, usage, exchange, streamed });
        });
      }
    }
  }
}
