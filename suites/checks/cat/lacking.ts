import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { imageBlock, imageHttpsUrl, textBlock } from '../../oracle/sample-images.ts';
import { oneTool, threeTools } from '../../oracle/sample-tools.ts';
import type { ExtraModel } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';

const content = (prompt: string, url?: string): JsonObject => ({
  messages: [{ role: 'user', content: [textBlock(prompt), imageBlock(url)] }],
});
const plain = (prompt: string, more: JsonObject): JsonObject => ({
  messages: [{ role: 'user', content: prompt }],
  ...more,
});

/** One way to ask for a capability. */
interface CapabilityUse {
  readonly title: string;
  readonly members: (prompt: string) => JsonObject;
}

type Capability = 'tools' | 'vision' | 'stream';

const uses: Readonly<Record<Capability, readonly CapabilityUse[]>> = {
  tools: [
    { title: 'a tool', members: (prompt) => plain(prompt, { tools: [oneTool] }) },
    {
      title: 'three tools, one of them required',
      members: (prompt) => plain(prompt, { tools: threeTools, tool_choice: 'required' }),
    },
  ],
  vision: [
    { title: 'an image as a data URI', members: (prompt) => content(prompt) },
    { title: 'an image by link', members: (prompt) => content(prompt, imageHttpsUrl) },
  ],
  stream: [{ title: 'a stream', members: (prompt) => plain(prompt, { stream: true }) }],
};

/** All catalogue models have Tools and Stream (reading B-30), so only an extra model can lack them. */
export const lackingChecks: readonly Check[] = (['tools', 'vision', 'stream'] as const).map((capability) =>
  defineCheck({
    id: `cat.lacking.${capability}`,
    title: `a model without ${capability} refuses it with unsupported_capability before any upstream call`,
    requirements: ['CAT-015', 'ERR-026'],
    kind: 'example',
    needs: ['chat.extra_models'],
    run: (parts) => judgeLacking(parts, capability),
  }),
);

async function judgeLacking(
  { http, newScene, judge, cases, target }: CheckParts,
  capability: Capability,
): Promise<void> {
  for (const { id: model } of modelsWithout(target, capability)) {
    const twin = await http.chat(newScene().minimal(model), { label: `${model}, positive twin` });
    judge.completed(twin, { requirement: 'CAT-015', aspect: 'twin-served', model });
    for (const { title, members } of uses[capability]) {
      cases.count();
      const scene = newScene();
      const body = { model, ...members(scene.prompt()) };
      const exchange = await http.chat(body, { label: `${title} on ${model}` });
      const aspect = `${capability}-refused`;
      judge.refused(exchange, { requirement: 'CAT-015', aspect, codes: ['unsupported_capability'], twin });
      if (target.profile.upstream !== undefined) await judgeNotForwarded(scene, 'CAT-015', exchange);
    }
  }
}

function modelsWithout(target: Target, capability: Capability): readonly ExtraModel[] {
  const models = target.profile.chat.extra_models.filter(
    ({ capabilities }) => !capabilities.includes(capability),
  );
  if (models.length === 0) throw new Untestable(`chat.extra_models with a model that lacks ${capability}`);
  return models;
}

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
