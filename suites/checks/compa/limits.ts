import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/long-prompt.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answered, betaModels, refused, refusesStream } from './message-calls.ts';

export const windowHolds = defineCheck({
  id: 'compa.context.window',
  title:
    'on every beta model max_tokens or a prompt beyond the window is refused with context_too_long, wherever the prompt stands, and what fits is served',
  requirements: ['COMPA-014', 'COMPA-011'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (kit) => {
    for (const id of betaModels(kit)) {
      const model = chatModel(id);
      if (model === undefined) continue;
      const minimal = kit.newScene().minimalA(id);
      const twin = await kit.http.compatA(minimal, { label: `positive twin on ${id}` });
      answered(kit, twin, minimal, { requirement: 'COMPA-014', aspect: 'below-accepted' });
      await judgeBelow(kit, { ...kit.newScene().minimalA(id), max_tokens: model.contextK * 900 });
      for (const above of [surelyAbove(model), 250_000, 2_000_000_000]) {
        for (const stream of [false, true]) {
          const body = { ...kit.newScene().minimalA(id), max_tokens: above, ...(stream ? { stream } : {}) };
          await refuse(kit, body, `max_tokens ${above}`, twin);
        }
      }
    }
    const [id = ''] = betaModels(kit);
    const long = promptOfWords(kit, surelyAbove(chatModel(id) ?? never()) + 1_000);
    const minimal = kit.newScene().minimalA(id);
    const twin = await kit.http.compatA(minimal, { label: 'positive twin' });
    answered(kit, twin, minimal, { requirement: 'COMPA-014', aspect: 'below-accepted' });
    for (const [label, members] of longPlaces(long, kit.newScene().prompt()))
      await refuse(kit, { ...minimal, ...members }, `a long ${label}`, twin);
  },
});

/** What fits the window may still be more than a native upstream ever puts out, and then it is that what is told. */
async function judgeBelow(kit: CheckParts, body: JsonObject): Promise<void> {
  const exchange = await kit.http.compatA(body, { label: 'nine tenths of the window' });
  const rule = { requirement: 'COMPA-014', aspect: 'below-accepted' };
  if (exchange.response?.status !== 400) answered(kit, exchange, body, rule);
  else
    refused(kit, exchange, {
      ...rule,
      codes: ['invalid_param'],
      param: 'max_tokens',
      paramRule: 'COMPA-014',
    });
}

export const windowIsExact = defineCheck({
  id: 'compa.context.exact',
  title:
    'on compat path A prompt and max_tokens that fill the window to the last token are accepted, and one token more is refused',
  requirements: ['COMPA-014'],
  kind: 'metamorphic',
  needs: ['compat.a', 'context.tokenizer_exact'],
  run: async (kit) => {
    const id = kit.rng.pick(betaModels(kit));
    const model = chatModel(id) ?? never();
    const window = model.contextK * (kit.target.profile.context.k ?? 1_000);
    const system = promptOfWords(kit, window - 3_000);
    const body = { ...kit.newScene().minimalA(id), system, max_tokens: 8 };
    const measured = await kit.http.compatA(body, { label: 'the prompt measured' });
    const rule = { requirement: 'COMPA-014', aspect: 'last-token' };
    const { usage } = answered(kit, measured, body, rule);
    const input = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
      .map((name) => Number(usage[name] ?? 0))
      .reduce((sum, count) => sum + count, 0);
    const room = window - input;
    const full = { ...body, max_tokens: room };
    const exchange = await kit.http.compatA(full, { label: `max_tokens ${room}, to the last token` });
    answered(kit, exchange, full, rule);
    await refuse(kit, { ...body, max_tokens: room + 1 }, 'one token more', exchange);
  },
});

function never(): never {
  throw new Untestable('models.enabled with a beta model of the catalogue');
}

function longPlaces(long: string, prompt: string): [string, JsonObject][] {
  const calls = [
    { role: 'user', content: prompt },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: long }] },
  ];
  return [
    ['message', { messages: [{ role: 'user', content: `${long} ${prompt}` }] }],
    ['system prompt', { system: [{ type: 'text', text: long }] }],
    ['tool result', { messages: calls, tools: [{ name: 'look_up', input_schema: { type: 'object' } }] }],
  ];
}

async function refuse(kit: CheckParts, body: JsonObject, label: string, twin: Exchange): Promise<void> {
  kit.cases.count();
  const exchange = await kit.http.compatA(body, { label });
  refused(kit, exchange, {
    requirement: 'COMPA-014',
    aspect: 'above-refused',
    codes: ['context_too_long'],
    twin,
  });
}

const base64 = pixelDataUri.slice(pixelDataUri.indexOf(',') + 1);
const inline = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } };
const linked = { type: 'image', source: { type: 'url', url: 'https://media.example.com/pictures/sea.png' } };

/** An image wherever a native request may have one. */
function imagePlaces(prompt: string): [string, JsonObject][] {
  const text = { type: 'text', text: prompt };
  return [inline, linked].flatMap((image): [string, JsonObject][] => [
    [`${image.source.type} image in the last turn`, { messages: [{ role: 'user', content: [image, text] }] }],
    [
      `${image.source.type} image in the history`,
      {
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Look.' }, image] },
          { role: 'assistant', content: 'I see.' },
          { role: 'user', content: prompt },
        ],
      },
    ],
    [
      `${image.source.type} image in a tool result`,
      {
        tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: prompt },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] }] },
        ],
      },
    ],
  ]);
}

export const visionHolds = defineCheck({
  id: 'compa.vision.images',
  title:
    'a beta model with Vision takes native images wherever they stand; one of which the text contradicts itself takes all or refuses all with unsupported_capability, as on the core path',
  requirements: ['COMPA-013', 'COMPA-011'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (kit) => {
    for (const model of betaModels(kit)) {
      const sees = await seesOnCore(kit, model);
      const expected = chatModel(model)?.vision === 'open' ? sees : true;
      for (const stream of [false, true]) {
        for (const [label, members] of imagePlaces(kit.newScene().prompt())) {
          kit.cases.count();
          const body = { ...kit.newScene().minimalA(model), ...members, ...(stream ? { stream } : {}) };
          const exchange = await kit.http.compatA(body, { label: `${label} on ${model}` });
          const taken = exchange.response?.status === 200;
          if (expected) {
            if (stream && refusesStream(kit, exchange)) continue;
            answered(kit, exchange, body, { requirement: 'COMPA-013', aspect: 'image-accepted' });
          } else {
            must(!taken, {
              requirement: 'COMPA-013',
              aspect: 'image-refused',
              expected: `400 unsupported_capability, as on the core path of ${model}`,
              actual: 'HTTP 200',
              exchange,
            });
            const rule = { requirement: 'COMPA-013', aspect: 'image-refused' };
            refused(kit, exchange, { ...rule, codes: ['unsupported_capability'] });
          }
        }
      }
    }
  },
});

/** What the core path does with an image on this model. */
async function seesOnCore(kit: CheckParts, model: string): Promise<boolean> {
  const content = [
    { type: 'text', text: kit.newScene().prompt() },
    { type: 'image_url', image_url: { url: pixelDataUri } },
  ];
  const body = { model, messages: [{ role: 'user', content }] };
  const exchange = await kit.http.chat(body, { label: `the same on the core path of ${model}` });
  const sees = exchange.response?.status === 200;
  if (chatModel(model)?.vision === 'open')
    kit.judge.note(`${sees ? 'takes' : 'refuses'} images on ${model} (B-27)`);
  return sees;
}
