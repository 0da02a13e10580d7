import { imageBlock, textBlock } from '../oracle/sample-images.ts';
import { jpeg, png } from '../oracle/sample-media.ts';
import { callOf, toolNamed } from '../oracle/sample-tools.ts';
import type { Rng } from '../values/seed.ts';

/** The number of each: more than careless code keeps, and fewer than any upstream refuses. */
const counts = { rounds: 60, tools: 100, blocks: 40, pictures: 12, calls: 24 };

/** A legal request with many turns, tools, blocks, images and parallel calls, all of them distinguishable. */
export function broadChatBody(
  rng: Rng,
  { model, prompt, vision }: { readonly model: string; readonly prompt: string; readonly vision: boolean },
): Record<string, unknown> {
  const tag = rng.hex(6);
  const rounds = list(counts.rounds, (at) => [
    { role: 'user', content: `Question ${at} of ${tag}?` },
    { role: 'assistant', content: `Answer ${at} of ${tag}.` },
  ]).flat();
  const calls = list(counts.calls, (at) => callOf(`call_${tag}_${at}`, `tool_${at}`, `{"word":"w${at}"}`));
  const results = calls.map(({ id }, at) => ({ role: 'tool', tool_call_id: id, content: `Result ${at}.` }));
  const texts = list(counts.blocks, (at) => textBlock(`Part ${at} of ${tag}. `));
  const pictures = list(vision ? counts.pictures : 0, (at) =>
    imageBlock(
      at % 3 === 0 ? (at % 2 === 0 ? png : jpeg).dataUri : `https://media.example.com/${tag}/${at}.png`,
    ),
  );
  return {
    model,
    messages: [
      ...rounds,
      { role: 'user', content: 'Now all at once.' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...results,
      { role: 'assistant', content: 'So it is.' },
      { role: 'user', content: rng.shuffle([...texts, ...pictures, textBlock(prompt)]) },
    ],
    tools: list(counts.tools, (at) => toolNamed(`tool_${at}`, `What tool ${at} of ${tag} does.`)),
  };
}

function list<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
