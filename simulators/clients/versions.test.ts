import Anthropic from '@anthropic-ai/sdk';
import Anthropic1 from 'anthropic-sdk-1';
import { describe, expect, it } from 'vitest';
import type { DialectVersion } from '../answers/native-answer.ts';
import { openSimulators } from '../start.ts';
import { useSimulators } from '../testing/simulators.ts';
import { openai6At, openaiAt } from './testing/chat-completions-rig.ts';
import { genai3At, genaiAt } from './testing/generate-content-rig.ts';
import { anthropic1At, anthropicAt } from './testing/messages-rig.ts';

const simulators = useSimulators();
const messages = [{ role: 'user' as const, content: 'Say something.' }];
const asked = { model: 'bl-4-5-20260801', max_tokens: 100, messages };

const caught = (error: unknown): unknown => error;

/** Makes one call with the client of a version. */
type Ask = (origin: string) => PromiseLike<unknown>;
const clients: Readonly<Record<string, Readonly<Record<DialectVersion, Ask>>>> = {
  messages: {
    current: (origin) => anthropic1At(origin).messages.create(asked),
    previous: (origin) => anthropicAt(origin).messages.create(asked),
  },
  'generate-content': {
    current: (origin) =>
      genai3At(origin).models.generateContent({ model: 'g3f-2026-09', contents: 'Speak.' }),
    previous: (origin) =>
      genaiAt(origin).models.generateContent({ model: 'g3f-2026-09', contents: 'Speak.' }),
  },
};

/** The base URL of a tenant's upstream that simulates one version or both. */
async function originOf(version: DialectVersion | null): Promise<string> {
  const tenant = simulators.tenant();
  if (version !== null) await tenant.script({ replies: [{ version }] });
  return simulators.base(tenant.name).replace(/\/v1$/, '');
}

describe.each(Object.entries(clients))('%s', (_, { current, previous }) => {
  it('uses the version that each client requests', async () => {
    const origin = await originOf(null);
    await Promise.all([current(origin), previous(origin)]);
  });

  it('uses only the configured version', async () => {
    await current(await originOf('current'));
    await previous(await originOf('previous'));
    const refused = { status: expect.toBeOneOf([400, 404]) };
    await expect(current(await originOf('previous'))).rejects.toMatchObject(refused);
    await expect(previous(await originOf('current'))).rejects.toMatchObject(refused);
  });
});

describe('the messages dialect', () => {
  it('accepts sampling parameters in the previous version, and rejects them by name in the current one', async () => {
    const sampled = { ...asked, temperature: 1 };
    const origin = await originOf(null);
    await anthropicAt(origin).messages.create(sampled);
    await expect(anthropic1At(origin).messages.create(sampled)).rejects.toThrow('temperature: Extra inputs');
  });

  it('has error details in the current version only', async () => {
    const other = { ...asked, model: 'none' };
    const [now, before] = await Promise.all([
      anthropic1At(await originOf(null))
        .messages.create(other)
        .catch(caught),
      anthropicAt(await originOf(null))
        .messages.create(other)
        .catch(caught),
    ]);
    expect(now).toBeInstanceOf(Anthropic1.NotFoundError);
    expect(now).toMatchObject({
      type: 'not_found_error',
      errorCode: null,
      error: { error: { details: null } },
    });
    expect(before).toBeInstanceOf(Anthropic.NotFoundError);
    expect(before).toMatchObject({ error: { error: expect.not.objectContaining({ details: null }) } });
  });
});

describe('the chat-completions dialect', () => {
  const streamed = { model: 'd3-2026-07-11', messages, stream: true as const };
  const lengthsOf = async (chunks: AsyncIterable<unknown>): Promise<Set<number>> => {
    const lengths = new Set<number>();
    for await (const chunk of chunks) lengths.add(JSON.stringify(chunk).length % 16);
    return lengths;
  };

  it('hides the lengths of deltas in the current version by default', async () => {
    const { completions } = openaiAt(await originOf(null)).chat;
    expect((await lengthsOf(await completions.create(streamed))).size).toBe(1);
    const bare = { ...streamed, stream_options: { include_obfuscation: false } };
    expect((await lengthsOf(await completions.create(bare))).size).toBeGreaterThan(1);
  });

  it('has no obfuscation in the previous version', async () => {
    for await (const chunk of await openai6At(await originOf('previous')).chat.completions.create(streamed)) {
      expect(chunk).not.toHaveProperty('obfuscation');
    }
  });

  it.each([
    ['current', 'H3', 429, 'slow_down'],
    ['previous', 'H3', 503, 'slow_down'],
    ['current', 'H4', 429, 'credit_balance_exhausted'],
    ['previous', 'H4', 429, 'insufficient_quota'],
  ] as const)('uses the bytes of the %s version for fault %s', async (version, id, status, code) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ version, fault: { id } }] });
    const { completions } = openai6At(simulators.base(tenant.name).replace(/\/v1$/, '')).chat;
    await expect(completions.create({ ...streamed, stream: false })).rejects.toMatchObject({
      status,
      code,
    });
  });
});

it('can be configured once for all tenants', async () => {
  const running = await openSimulators({
    port: 0,
    controlPort: 0,
    seed: 1,
    testClock: false,
    version: 'current',
    onDefect: (error) => {
      throw error;
    },
  });
  try {
    const origin = `${running.providerUrl}/any/beta`;
    await anthropic1At(origin).messages.countTokens({ model: asked.model, messages });
    await anthropic1At(origin).messages.create(asked);
    const before = anthropicAt(origin).messages;
    await expect(before.create(asked)).rejects.toThrow('is not a version');
    await expect(before.countTokens({ model: asked.model, messages })).rejects.toThrow('is not a version');
    const { models } = genaiAt(origin);
    await expect(models.countTokens({ model: 'g3f-2026-09', contents: 'a' })).rejects.toThrow('no method');
  } finally {
    await running.close();
  }
});
