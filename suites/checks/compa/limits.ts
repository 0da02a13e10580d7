import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { pixelBase64, pixelDataUri } from '../../oracle/sample-images.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { type Exchange, errorCodeOf, isSuccess } from '../../wire/exchange.ts';
import { answered, betaModels, refused, refusesStream } from './message-calls.ts';

const inline = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixelBase64 } };
const linked = { type: 'image', source: { type: 'url', url: 'https://media.example.com/pictures/sea.png' } };

export const windowHolds = defineCheck({
  id: 'compa.context.window',
  title: 'on every beta model max_tokens, a prompt or both beyond the window are answered context_too_long',
  requirements: ['COMPA-014', 'COMPA-011'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const { newScene, http, target, cases, rng } = parts;
    for (const id of target.few(betaModels(target))) {
      const model = chatModel(id);
      if (model === undefined) continue;
      const minimal = newScene().minimalA(id);
      const twin = await http.compatA(minimal, { label: `positive twin on ${id}` });
      answered(cases, twin, minimal, { requirement: 'COMPA-014', aspect: 'below-accepted' });
      await judgeBelow(parts, { ...newScene().minimalA(id), max_tokens: model.contextK * 900 });
      const aboves = [surelyAbove(model), 2_000_000_000];
      const calls = aboves.flatMap((above) => [false, true].map((stream) => ({ above, stream })));
      for (const { above, stream } of target.few(calls)) {
        const body = { ...newScene().minimalA(id), max_tokens: above, ...(stream ? { stream } : {}) };
        await refuse(parts, body, `max_tokens ${above}`, twin);
      }
    }
    const [id = ''] = betaModels(target);
    const long = promptOfWords(rng, surelyAbove(chatModel(id) ?? never()) + 1_000);
    const minimal = newScene().minimalA(id);
    const twin = await http.compatA(minimal, { label: 'positive twin' });
    answered(cases, twin, minimal, { requirement: 'COMPA-014', aspect: 'below-accepted' });
    for (const [label, members] of target.few(longPlaces(long, newScene().prompt())))
      await refuse(parts, { ...minimal, ...members }, `a long ${label}`, twin);
    await judgeSum(parts, id);
  },
});

/** A part of a prompt and a limit that each fit; an upstream may allow less output than this one. */
async function judgeSum(
  { newScene, http, judge, cases, rng, target }: CheckParts,
  id: string,
): Promise<void> {
  const { contextK } = chatModel(id) ?? never();
  const asked = { max_tokens: contextK * 160 };
  const fits = await http.compatA({ ...newScene().minimalA(id), ...asked }, { label: 'a short prompt' });
  if (fits.response?.status === 400) {
    judge.note(`${id}: refuses max_tokens ${asked.max_tokens}`);
    return;
  }
  const long = promptOfWords(rng, contextK * 900);
  const places = target.few(longPlaces(long, newScene().prompt()));
  for (const [place, [what, members]] of places.entries())
    await part(async () => {
      for (const stream of cases.full ? [false, true] : [place % 2 === 1]) {
        cases.count();
        const body = { ...newScene().minimalA(id), ...members, ...asked, ...(stream ? { stream } : {}) };
        const over = await http.compatA(body, { label: `a ${what} and max_tokens that only fit alone` });
        const rule = { requirement: 'COMPA-014', aspect: 'sum-refused' };
        refused(judge, over, { ...rule, codes: ['context_too_long'], twin: fits });
      }
    });
}

export const windowIsExact = defineCheck({
  id: 'compa.context.exact',
  title: 'on compat path A a request that fills the window exactly is accepted, one token more not',
  requirements: ['COMPA-014'],
  kind: 'metamorphic',
  needs: ['compat.a', 'context.tokenizer_exact'],
  run: async (parts) => {
    const { rng, target, newScene, http, cases } = parts;
    const id = rng.pick(betaModels(target));
    const model = chatModel(id) ?? never();
    const window = model.contextK * (target.profile.context.k ?? 1_000);
    const system = promptOfWords(rng, window - 3_000);
    const body = { ...newScene().minimalA(id), system, max_tokens: 8 };
    const measured = await http.compatA(body, { label: 'the prompt measured' });
    const rule = { requirement: 'COMPA-014', aspect: 'last-token' };
    const { usage } = answered(cases, measured, body, rule);
    const input = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
      .map((name) => Number(usage[name] ?? 0))
      .reduce((sum, count) => sum + count, 0);
    const room = window - input;
    const full = { ...body, max_tokens: room };
    const exchange = await http.compatA(full, { label: `max_tokens ${room}, to the last token` });
    answered(cases, exchange, full, rule);
    await refuse(parts, { ...body, max_tokens: room + 1 }, 'one token more', exchange);
  },
});

/** Where the text contradicts itself about a model, this path must agree with the core path (reading B-27). */
export const visionHolds = defineCheck({
  id: 'compa.vision.images',
  title: 'beta models with Vision take native images in every place, as on the core path',
  requirements: ['COMPA-013', 'COMPA-011'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const { newScene, cases, http, target, judge } = parts;
    for (const model of target.few(betaModels(target))) {
      const sees = await seesOnCore(parts, model);
      const expected = chatModel(model)?.vision === 'open' ? sees : true;
      for (const stream of [false, true]) {
        for (const [label, members] of target.few(imagePlaces(newScene().prompt()))) {
          cases.count();
          const body = { ...newScene().minimalA(model), ...members, ...(stream ? { stream } : {}) };
          const exchange = await http.compatA(body, { label: `${label} on ${model}` });
          const taken = isSuccess(exchange);
          if (expected) {
            if (stream && refusesStream(judge, exchange)) continue;
            answered(cases, exchange, body, { requirement: 'COMPA-013', aspect: 'image-accepted' });
          } else {
            must(!taken, {
              requirement: 'COMPA-013',
              aspect: 'image-refused',
              expected: `400 unsupported_capability, as on the core path of ${model}`,
              actual: 'HTTP 200',
              exchange,
            });
            const rule = { requirement: 'COMPA-013', aspect: 'image-refused' };
            refused(judge, exchange, { ...rule, codes: ['unsupported_capability'] });
          }
        }
      }
    }
  },
});

/** A prompt within the window may still exceed the upstream's maximum output, and is refused for that. */
async function judgeBelow({ http, cases, judge }: CheckParts, body: JsonObject): Promise<void> {
  const exchange = await http.compatA(body, { label: 'nine tenths of the window' });
  const rule = { requirement: 'COMPA-014', aspect: 'below-accepted' };
  const isRefused = exchange.response?.status === 400 || errorCodeOf(exchange) === 'invalid_param';
  if (!isRefused) answered(cases, exchange, body, rule);
  else
    refused(judge, exchange, {
      ...rule,
      codes: ['invalid_param'],
      param: 'max_tokens',
      paramRule: 'COMPA-014',
    });
}

function never(): never {
  throw new Untestable('models.enabled with a beta model of the catalogue');
}

/** A long text in every place of a native request that counts. */
function longPlaces(long: string, prompt: string): [string, JsonObject][] {
  const turn = { role: 'user', content: prompt };
  const asked = { type: 'text', text: prompt };
  const half = { type: 'text', text: long.slice(0, long.indexOf(' ', long.length / 2)) };
  const called = (input: JsonObject, content: string | JsonObject[]): JsonObject => ({
    messages: [
      turn,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look_up', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    ],
    tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
  });
  return [
    ['block', { messages: [{ role: 'user', content: [{ type: 'text', text: long }, asked] }] }],
    [
      'row of blocks',
      { messages: [{ role: 'user', content: [half, half] }, { role: 'assistant', content: 'Yes.' }, turn] },
    ],
    ['message', { messages: [{ role: 'user', content: `${long} ${prompt}` }] }],
    ['system prompt', { system: [{ type: 'text', text: long }] }],
    [
      'earlier answer',
      { messages: [{ role: 'user', content: 'Go on.' }, { role: 'assistant', content: long }, turn] },
    ],
    ['tool result', called({}, long)],
    ['block of a tool result', called({}, [{ type: 'text', text: long }])],
    ['input of a call', called({ word: long }, 'Found.')],
    ['description of a tool', { tools: toolsDescribed(long) }],
  ];
}

function toolsDescribed(description: string): JsonObject[] {
  return [{ name: 'look_up', description, input_schema: { type: 'object' } }];
}

async function refuse(
  { cases, http, judge }: CheckParts,
  body: JsonObject,
  label: string,
  twin: Exchange,
): Promise<void> {
  cases.count();
  const exchange = await http.compatA(body, { label });
  refused(judge, exchange, {
    requirement: 'COMPA-014',
    aspect: 'above-refused',
    codes: ['context_too_long'],
    twin,
  });
}

/** An image in every place of a native request that may have one. */
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

/** Whether the core path accepts an image on this model. */
async function seesOnCore({ newScene, http, judge }: CheckParts, model: string): Promise<boolean> {
  const content = [
    { type: 'text', text: newScene().prompt() },
    { type: 'image_url', image_url: { url: pixelDataUri } },
  ];
  const body = { model, messages: [{ role: 'user', content }] };
  const exchange = await http.chat(body, { label: `the same on the core path of ${model}` });
  const sees = isSuccess(exchange);
  if (chatModel(model)?.vision === 'open')
    judge.note(`${sees ? 'takes' : 'refuses'} images on ${model} (B-27)`);
  return sees;
}
