import { imageBlock, imageHttpsUrl, imageSignedUrl, textBlock } from '../oracle/sample-images.ts';
import { jpeg, png } from '../oracle/sample-media.ts';
import { callOf, threeTools } from '../oracle/sample-tools.ts';
import type { Rng } from '../values/seed.ts';
import { naturalTexts } from './natural-text.ts';
import { numberedText } from './numbered-text.ts';

type Body = Record<string, unknown>;

/** What a request contains besides the common fields: tools or JSON mode, because some upstreams refuse both together. */
export const wholeKinds = ['tools', 'json'] as const;
export type WholeKind = (typeof wholeKinds)[number];

/** The model, prompt and kind of a whole request. */
export interface WholeCase {
  readonly model: string;
  readonly prompt: string;
  readonly kind: WholeKind;
  /** Whether the model takes images. */
  readonly vision: boolean;
  /** The length of one of its texts, which is drawn; the others are short. */
  readonly length: number;
}

/** The text positions of a conversation. */
const longPlaces = ['system', 'first', 'answer', 'result', 'arguments', 'last'] as const;
type LongPlace = (typeof longPlaces)[number];

/**
 * A legal request with every field and every form of turn, its values drawn. temperature and top_p exclude each
 * other (B-12).
 */
export function wholeChatBody(rng: Rng, { model, prompt, kind, vision, length }: WholeCase): Body {
  const long = rng.pick(longPlaces.filter((place) => kind === 'tools' || !toolPlaces.includes(place)));
  const text = (place: LongPlace, short: string): string =>
    place === long ? `${short} ${numberedText(rng, length)}` : short;
  const sampling =
    rng.int(2) === 0 ? { temperature: rng.pick([0, 0.4, 1]) } : { top_p: rng.pick([0.05, 0.35]) };
  const wish = kind === 'json' ? `${prompt} Answer as a JSON object.` : prompt;
  return {
    model,
    messages: [
      { role: 'system', content: text('system', 'Answer like a lighthouse keeper.') },
      { role: 'user', content: mixed(rng, text('first', 'What is shown?'), vision) },
      { role: 'assistant', content: text('answer', ' A dot.\n') },
      ...(kind === 'tools' ? toolRound(rng, text) : []),
      { role: 'user', content: mixed(rng, text('last', wish), vision) },
    ],
    ...sampling,
    max_tokens: rng.pick([1, 300, 4_000]),
    stop: ['THE END', '###', '終わり', '\n\nEND'].slice(0, 1 + rng.int(4)),
    seed: rng.pick([0, 1, 20_261_121, 2_147_483_647]),
    user: naturalTexts(rng.int(2 ** 31)).userId,
    metadata: Object.fromEntries(
      Array.from({ length: 1 + rng.int(16) }, (_, at) => [`tag${at}`, 'v'.repeat(64)]),
    ),
    ...(kind === 'json' ? { response_format: { type: 'json_object' } } : {}),
    ...(kind === 'tools' ? { tools: rng.shuffle(threeTools), tool_choice: choice(rng) } : {}),
  };
}

const toolPlaces: readonly LongPlace[] = ['result', 'arguments'];

function choice(rng: Rng): unknown {
  return rng.pick(['required', 'none', { type: 'function', function: { name: 'translate' } }]);
}

/** Blocks of one user message in a drawn order; only text for a model without vision. */
function mixed(rng: Rng, text: string, vision: boolean): unknown {
  const pictures = [png.dataUri, imageHttpsUrl, jpeg.dataUri, imageSignedUrl];
  if (!vision) return rng.int(2) === 0 ? text : [textBlock('First this. '), textBlock(text)];
  const blocks = [textBlock(text), textBlock('And this.'), ...pictures.slice(rng.int(3)).map(imageBlock)];
  return rng.shuffle(blocks);
}

/** Parallel calls, their results in another order, and the model's answer. */
function toolRound(rng: Rng, text: (place: LongPlace, short: string) => string): Body[] {
  const args = JSON.stringify({ word: text('arguments', 'sea'), exact: 0.30000000000000004 });
  const calls = [callOf('call_sea_1', 'look_up', args), callOf('call_sea_2', 'spell'), callOf('call_sea_3')];
  const result = text('result', '{"high": "04:12", "n": 1.0}');
  const results = calls.map(({ id }, at) => ({
    role: 'tool',
    tool_call_id: id,
    content: at === 0 ? result : `Result ${at}`,
  }));
  return [
    { role: 'user', content: 'When is high water?' },
    { role: 'assistant', content: rng.pick([null, 'I look.']), tool_calls: calls },
    ...rng.shuffle(results),
    { role: 'assistant', content: 'So it is.' },
  ];
}
