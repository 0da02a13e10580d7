import { defineCheck } from '../../engine/check.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { judgeMeter, judgeNoCharge } from '../../steps/money/judge-no-charge.ts';
import {
  allRefusedByCap,
  callsFrom,
  holdWays,
  judgeKeptBack,
  type Refused,
} from '../../steps/ways/held-ways.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const capRefusalIsFree = defineCheck({
  id: 'lim.cap.no-charge',
  title: 'calls that the cap refuses cost nothing, on any endpoint',
  requirements: ['LIM-010'],
  kind: 'concurrency',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const rule = { requirement: 'LIM-010', aspect: 'refused' };
    const ways = await waysOf(parts);
    const lasting = ways.filter(({ lasts }) => lasts);
    const calls = callsFrom(lasting, 0, parts.target.profile.cap.value);
    const held = await holdWays(parts, calls, { ...rule, aspect: 'cap-available' });
    const refused: Refused[] = [];
    await judgeNoCharge(parts, 'LIM-010', async () => {
      refused.push(
        ...(await allRefusedByCap(
          parts,
          ways.map((way) => ({ way })),
          rule,
        )),
      );
      return refused.map(({ exchange }) => exchange);
    });
    await held.finish();
    await judgeKeptBack(refused, 'LIM-010');
    await judgeMeter(parts, 'LIM-010');
  },
});

export const tooLongIsFree = defineCheck({
  id: 'lim.context.no-charge',
  title: 'a request that is refused for its length costs nothing',
  requirements: ['LIM-019'],
  kind: 'example',
  needs: ['charges'],
  run: async (parts) => {
    const { target, newScene, cases, http, judge, rng } = parts;
    const [model] = target.models
      .flatMap((id) => chatModel(id) ?? [])
      .sort((a, b) => a.contextK - b.contextK);
    if (model === undefined) throw new Untestable('a chat model of the catalogue');
    const above = surelyAbove(model);
    await judgeNoCharge(parts, 'LIM-019', async () => {
      const refusals: Exchange[] = [];
      for (const body of [
        { ...newScene().minimal(model.id), max_tokens: above },
        { ...newScene().minimal(model.id), max_tokens: above, stream: true },
        newScene().minimal(model.id, promptOfWords(rng, model.contextK * 1_250)),
      ]) {
        cases.count();
        const refusal = await http.chat(body, { label: 'too long' });
        judge.refused(refusal, { requirement: 'LIM-019', aspect: 'refused', codes: ['context_too_long'] });
        refusals.push(refusal);
      }
      return refusals;
    });
    await judgeMeter(parts, 'LIM-019');
  },
});
