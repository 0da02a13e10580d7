import { defineCheck } from '../../engine/check.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { Untestable } from '../../rules/violation.ts';

/** The model with the smallest window: a prompt that fills it is the cheapest. */
const smallest = 'alpha-codex';

/** Words of one token or more under every tokenizer. */
const filler = (words: number): string => 'sea '.repeat(words);

export const longPrompt = defineCheck({
  id: 'cat.window.prompt',
  title: 'a prompt above the window alone is refused with context_too_long, plain and streamed',
  requirements: ['CAT-004'],
  kind: 'example',
  needs: [],
  run: async ({ target, http, newScene, judge, cases }) => {
    if (!target.models.includes(smallest)) throw new Untestable(`models.enabled with ${smallest}`);
    const words = Math.ceil((chatModel(smallest)?.contextK ?? 0) * 1024 * 1.2);
    const twin = await http.chat(newScene().minimal(smallest, filler(100)), { label: 'a short prompt' });
    judge.completed(twin, { requirement: 'CAT-004', aspect: 'prompt-inside', model: smallest });
    for (const extra of [{}, { stream: true }, { max_tokens: 1 }]) {
      cases.count();
      const body = { ...newScene().minimal(smallest, filler(words)), ...extra };
      const exchange = await http.chat(body, { label: `${words} words` });
      const rule = { requirement: 'CAT-004', aspect: 'prompt-above', twin };
      judge.refused(exchange, { ...rule, codes: ['context_too_long'] });
    }
  },
});

export const roomyPrompt = defineCheck({
  id: 'cat.window.prompt-inside',
  title: 'a prompt of four fifths of the window is accepted',
  requirements: ['CAT-004'],
  kind: 'upstream',
  // A real upstream would charge real money for it.
  needs: ['upstream.control'],
  run: async ({ target, http, newScene, judge }) => {
    if (!target.models.includes(smallest)) throw new Untestable(`models.enabled with ${smallest}`);
    const words = Math.floor((chatModel(smallest)?.contextK ?? 0) * 1000 * 0.8);
    const body = newScene().minimal(smallest, filler(words));
    const exchange = await http.chat(body, { label: `${words} words` });
    judge.completed(exchange, { requirement: 'CAT-004', aspect: 'prompt-inside', model: smallest });
  },
});
