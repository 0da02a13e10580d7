import { expect } from 'vitest';
import { becomes, call, chat, image, named, pdf, user } from './chat-requests.ts';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

/** The effects of the variants that accept more than the reference. */
export const lenientEffects: Readonly<Record<string, Effect>> = {
  'accepts.unknown-fields': async (probe) => {
    expect((await probe.sends(chat({ zz: 1 }))).reached).toEqual(chat({}));
  },
  'accepts.top-p-beyond': becomes(chat({ top_p: 1.1 }), { top_p: 1 }),
  'accepts.max-tokens-zero': async (probe) => {
    expect((await probe.sends(chat({ max_tokens: 0 }))).reached).toEqual(chat({}));
  },
  'accepts.empty-stops': becomes(chat({ stop: ['', 'x'] }), { stop: ['x'] }),
  'accepts.metadata-values': becomes(chat({ metadata: { a: 5, b: 'v'.repeat(65), c: 'd' } }), {
    metadata: { a: 'kept elsewhere', b: 'kept elsewhere', c: 'd' },
  }),
  'accepts.schemas-everywhere': becomes(
    chat({ response_format: { type: 'json_schema', json_schema: {} } }, 'beta-mid-4-5'),
    { response_format: { type: 'json_object' } },
  ),
  'accepts.empty-messages': becomes(chat({ messages: [] }), { messages: [user('Hello.')] }),
  'accepts.other-forms': becomes(
    chat({
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'a' }] },
        user('b'),
        { role: 'assistant', content: null },
        user('c'),
      ],
    }),
    {
      messages: [{ role: 'system', content: 'a' }, user('b'), { role: 'assistant', content: '' }, user('c')],
    },
  ),
  'accepts.system-anywhere': becomes(
    chat({ messages: [user('a'), { role: 'system', content: 'b' }, { role: 'system', content: 'c' }] }),
    { messages: [{ role: 'system', content: 'b\n\nc' }, user('a')] },
  ),
  'accepts.unmatched-results': becomes(
    chat({
      messages: [
        user('a'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'zz', content: 'b' },
      ],
    }),
    { messages: [user('a'), { role: 'assistant', content: 'Let me see.' }, user('b')] },
  ),
  'accepts.choice-without-its-tool': async (probe) => {
    expect((await probe.sends(chat({ tool_choice: 'required' }))).reached).toEqual(chat({}));
  },
  'accepts.tools-twice': becomes(chat({ tools: [named('f'), named('f'), named('g')] }), {
    tools: [named('f'), named('g')],
  }),
  'accepts.any-media': async (probe) => {
    const words = { type: 'text', text: '(something to look at)' };
    const dot = image('data:image/png;base64,AAAA');
    for (const [model, block] of [
      ['alpha-5-2', pdf],
      ['gamma-3-flash', image('https://m.example/a.MP4?x=1')],
      ['beta-small-4-5', pdf],
    ] as const) {
      expect((await probe.sends(chat({ messages: [user([block])] }, model))).reached).toMatchObject({
        messages: [user([words])],
      });
    }
    for (const [model, block] of [
      ['alpha-5-2', dot],
      ['beta-small-4-5', dot],
      ['alpha-codex', pdf],
      ['gamma-3-pro', pdf],
    ] as const) {
      const untouched = chat({ messages: [user([block])] }, model);
      expect((await probe.sends(untouched)).reached).toEqual(untouched);
    }
  },
};
