import { expect } from 'vitest';
import { chat, described, named, pdf, refused, user } from './chat-requests.ts';
import { completion, type Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

/** The effects of the variants that reject more than the reference. */
export const strictEffects: Readonly<Record<string, Effect>> = {
  'refuses.fields-before-models': refused(
    chat({ temperature: 9 }, 'no-such-model'),
    400,
    'invalid_param',
    'temperature',
  ),
  'refuses.null-for-absent': refused(chat({ user: null }), 400, 'invalid_param', 'user'),
  'refuses.integers-with-a-point': refused(
    '{"model":"m","messages":[],"max_tokens":10.0}',
    400,
    'invalid_param',
    'max_tokens',
  ),
  'refuses.common-extras': refused(chat({ n: 1 }), 400, 'invalid_param', 'n'),
  'refuses.both-samplings': refused(chat({ temperature: 1, top_p: 1 }), 400, 'invalid_param', 'top_p'),
  'refuses.top-p-zero': refused(chat({ top_p: 0 }), 400, 'invalid_param', 'top_p'),
  'refuses.empty-stop-list': refused(chat({ stop: [] }), 400, 'invalid_param', 'stop'),
  'refuses.odd-seeds': refused(chat({ seed: -1 }), 400, 'invalid_param', 'seed'),
  'refuses.text-format': refused(
    chat({ response_format: { type: 'text' } }),
    400,
    'invalid_param',
    'response_format',
  ),
  'refuses.unusual-endings': refused(
    chat({ messages: [user('a'), { role: 'assistant', content: 'b' }] }),
    400,
    'invalid_param',
    'messages',
  ),
  'refuses.system-blocks': refused(
    chat({ messages: [{ role: 'system', content: [{ type: 'text', text: 'a' }] }, user('b')] }),
    400,
    'invalid_param',
    'messages',
  ),
  'refuses.choice-without-tools': refused(chat({ tool_choice: 'auto' }), 400, 'invalid_param', 'tool_choice'),
  'refuses.sparse-tools': async (probe) => {
    await refused(chat({ tools: [named('f')] }), 400, 'invalid_param', 'tools')(probe);
    const full = chat({ tools: [named('f', described)] });
    expect((await probe.sends(full)).reached).toEqual(full);
  },
  'refuses.media-as-param': refused(chat({ messages: [user([pdf])] }), 400, 'invalid_param', 'messages'),
  'refuses.cache-hints': refused(
    chat({ messages: [user([{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }])] }),
    400,
    'unsupported_capability',
    'messages',
  ),
  'refuses.other-kinds-as-param': refused(chat({}, 'kontext-pro'), 400, 'invalid_param', 'model'),
  'refuses.blank-model-as-unknown': refused(chat({}, ''), 404, 'model_not_found', 'model'),
  'refuses.filtered-output': async (probe) => {
    const [choice] = completion.choices as object[];
    const got = await probe.plain({ choices: [{ ...choice, finish_reason: 'content_filter' }] });
    expect([got.status, JSON.parse(got.text).error.code]).toEqual([400, 'content_filter']);
    expect((await probe.plain()).status).toBe(200);
  },
};
