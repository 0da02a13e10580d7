import { defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { objectsIn } from '../../oracle/native/json.ts';
import { textOf } from '../../oracle/native/view.ts';
import { must } from '../../rules/violation.ts';
import { nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answered, arrivedAsSent, betaModels, refused } from './message-calls.ts';

const first = 'You speak of the sea alone.';
const second = '  Two spaces before, a\nline, and é 漢 🌊 "quotes". ';

/** System prompts at the top of the request, as the native protocol defines. */
const topLevel: readonly (readonly [label: string, system: unknown])[] = [
  ['a string', first],
  ['a string with everything in it', second],
  ['one block', [{ type: 'text', text: first }]],
  [
    'two blocks',
    [
      { type: 'text', text: first },
      { type: 'text', text: second },
    ],
  ],
  [
    'blocks with a hint',
    [
      { type: 'text', text: first, cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: second, cache_control: { type: 'ephemeral' } },
    ],
  ],
];

/** Turns of the role system, as the table of paths mentions (reading B-93). */
const asTurns: readonly (readonly [label: string, members: (prompt: string) => JsonObject])[] = [
  ['first', (prompt) => ({ messages: [turn('system', first), turn('user', prompt)] })],
  [
    'first, in blocks',
    (prompt) => ({ messages: [turn('system', [{ type: 'text', text: first }]), turn('user', prompt)] }),
  ],
  [
    'first, with a cache hint',
    (prompt) => {
      const blocks = [
        { type: 'text', text: first, cache_control: { type: 'ephemeral', ttl: '1h' } },
        { type: 'text', text: second.trim() },
      ];
      return { messages: [turn('system', blocks), turn('user', prompt)] };
    },
  ],
  [
    'beside the field',
    (prompt) => ({ system: first, messages: [turn('system', second.trim()), turn('user', prompt)] }),
  ],
  [
    'in the middle',
    (prompt) => ({
      messages: [
        turn('user', 'Hello.'),
        turn('assistant', 'Yes?'),
        turn('system', first),
        turn('user', prompt),
      ],
    }),
  ],
];

export const systemArrives = defineCheck({
  id: 'compa.system.top-level',
  title: 'a native system prompt, a string or blocks, reaches the upstream unchanged as such',
  requirements: ['COMPA-004'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async ({ newScene, http, target, cases }) => {
    for (const model of betaModels(target)) {
      for (const [label, system] of topLevel) {
        const scene = newScene();
        const body = { ...scene.minimalA(model), system };
        const exchange = await http.compatA(body, { label: `system: ${label} on ${model}` });
        answered(cases, exchange, body, { requirement: 'COMPA-004', aspect: 'system-accepted' });
        const { view } = await arrivedAsSent(scene, body, exchange, 'COMPA-004');
        must(!view.turns.some((turn) => textOf(turn).includes(first)), {
          requirement: 'COMPA-004',
          aspect: 'system-arrives',
          expected: 'the system prompt as a system prompt',
          actual: 'it is in a turn of the conversation',
          exchange,
        });
      }
    }
  },
});

export const systemRoleIsCarried = defineCheck({
  id: 'compa.system.role',
  title: 'a turn with role system reaches the upstream as a system prompt, or is refused by name',
  requirements: ['COMPA-004', 'COMPA-007'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async ({ newScene, http, cases, judge, target }) => {
    for (const model of betaModels(target)) {
      for (const [label, members] of asTurns) {
        const scene = newScene();
        const body = { ...scene.minimalA(model), ...members(scene.prompt()) };
        const exchange = await http.compatA(body, { label: `role system ${label} on ${model}` });
        if (exchange.response?.status === 400) {
          cases.count();
          const rule = { requirement: 'COMPA-004', aspect: 'role-system', paramRule: 'COMPA-004' };
          refused(judge, exchange, { ...rule, codes: ['invalid_param'], param: 'messages' });
          judge.note(`refuses role system ${label} (reading B-93)`);
          continue;
        }
        answered(cases, exchange, body, { requirement: 'COMPA-004', aspect: 'role-system' });
        await judgeCarried(scene, body, exchange);
      }
    }
  },
});

async function judgeCarried(scene: Scene, body: JsonObject, exchange: Exchange): Promise<void> {
  const request = await nativeRequest(scene, 'COMPA-004', exchange);
  const { system, turns } = request.view;
  const own = { exchange, actual: JSON.stringify(system), upstream: shown(request) };
  const sent = systemBlocks(body);
  const texts = sent.map(({ text }) => text);
  const whole = textOf({ parts: system });
  const inTurns = turns.some((one) => texts.some((text) => textOf(one).includes(text)));
  must(texts.every((text) => whole.includes(text)) && !inTurns, {
    ...own,
    requirement: 'COMPA-004',
    aspect: 'role-system-arrives',
    expected: `a system prompt with ${JSON.stringify(texts)}`,
  });
  for (const { text, ttl } of sent) {
    if (ttl === undefined) continue;
    const kept = system.some((part) => part.cache?.ttl === ttl && textOf({ parts: [part] }).endsWith(text));
    must(kept, {
      ...own,
      requirement: 'COMPA-007',
      aspect: 'role-system-hint',
      expected: `a cache hint of ${ttl} after ${JSON.stringify(text)}`,
    });
  }
}

/** The blocks of a request's system prompts, in its own field and in turns. */
function systemBlocks(body: JsonObject): { text: string; ttl: unknown }[] {
  const turns = objectsIn(body.messages).filter(({ role }) => role === 'system');
  return [body.system, ...turns.map(({ content }) => content)].flatMap((prompt) =>
    typeof prompt === 'string'
      ? [{ text: prompt, ttl: undefined }]
      : objectsIn(prompt).map((block) => {
          return { text: String(block.text), ttl: (block.cache_control as JsonObject | undefined)?.ttl };
        }),
  );
}

function turn(role: string, content: unknown): JsonObject {
  return { role, content };
}
