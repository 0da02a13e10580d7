import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { TenantControl } from '../../control/client.ts';
import type { JournalEntry } from '../../control/journal.ts';
import type { Reply } from '../../control/protocol.ts';
import { openGenerate, postGenerate } from '../../testing/post-generate.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const sse = 'streamGenerateContent?alt=sse';
const asArray = 'streamGenerateContent';

interface Chunk {
  candidates: [
    { content?: { parts?: { text?: string; functionCall?: { name: string } }[] }; finishReason?: string },
  ];
  usageMetadata: { promptTokenCount: number; candidatesTokenCount?: number; totalTokenCount: number };
  responseId: string;
}

async function scripted(reply: Reply): Promise<TenantControl> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [reply] });
  return tenant;
}

async function chunksOf(tenant: TenantControl): Promise<Chunk[]> {
  const answer = await postGenerate(simulators.base(tenant.name), {}, sse);
  return answer.events().map((event) => JSON.parse(event) as Chunk);
}

const partOf = (chunk: Chunk): unknown => chunk.candidates[0].content?.parts?.[0];
const labels = ({ reply }: JournalEntry): string[] => reply.sends.map(({ label }) => label);

describe('a stream of events', () => {
  it('is written one event at a time, each ended by two CRLF, without an end mark', async () => {
    const tenant = await scripted({ deltas: ['a', ' b\n', ' c'] });
    const response = await openGenerate(simulators.base(tenant.name), {}, sse);
    const writes: string[] = [];
    // The HTTP parser delivers one transfer chunk at a time, and each chunk is one write.
    response.on('data', (bytes: Buffer) => writes.push(bytes.toString()));
    await once(response, 'end');
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'content-disposition': 'attachment',
    });
    expect(writes).toHaveLength(4);
    expect(writes.every((text) => /^data: \{.*\}\r\n\r\n$/.test(text))).toBe(true);
    const [entry] = (await tenant.journal({ ended: 1 })).entries;
    expect(entry === undefined ? [] : labels(entry)).toEqual([
      'head',
      'delta-0',
      'delta-1',
      'delta-2',
      'finish',
      'done',
    ]);
  });

  it('reports growing usage in every chunk, and the finish only in the last one', async () => {
    const usage = { prompt_tokens: 50, completion_tokens: 5, reasoning_tokens: 3, cached_tokens: 40 };
    const chunks = await chunksOf(await scripted({ deltas: ['a', ' b c'], usage }));
    expect(chunks.map(({ usageMetadata }) => usageMetadata)).toEqual(
      [1, 2, 2].map((candidatesTokenCount) => ({
        promptTokenCount: 50,
        cachedContentTokenCount: 40,
        candidatesTokenCount,
        thoughtsTokenCount: 3,
        totalTokenCount: 53 + candidatesTokenCount,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 50 }],
        cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 40 }],
      })),
    );
    expect(chunks.map(({ candidates: [{ finishReason }] }) => finishReason)).toEqual([
      undefined,
      undefined,
      'STOP',
    ]);
  });

  it('sends each whole call as one delta, after the text', async () => {
    const tool_calls = [
      { id: 'c0', name: 'f', arguments: '{"a":1}' },
      { id: 'c1', name: 'g', arguments: '{}' },
    ];
    const chunks = await chunksOf(await scripted({ text: 'Hm.', deltas: ['Hm.'], tool_calls }));
    expect(chunks.map(partOf)).toEqual([
      { text: 'Hm.' },
      { functionCall: { id: 'c0', name: 'f', args: { a: 1 } }, thoughtSignature: expect.any(String) },
      { functionCall: { id: 'c1', name: 'g', args: {} } },
      { text: '' },
    ]);
  });

  it.each([
    ['length', { content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 }],
    ['content_filter', { finishReason: 'SAFETY', safetyRatings: [expect.anything()], index: 0 }],
  ] as const)('ends without a part when its finish is %s', async (finish, last) => {
    const chunks = await chunksOf(await scripted({ deltas: ['a'], finish }));
    expect(chunks.map(({ candidates }) => candidates[0])).toEqual([
      { content: { parts: [{ text: 'a' }], role: 'model' }, index: 0 },
      last,
    ]);
  });
});

describe('a stream without alt=sse', () => {
  it.each([[['a', ' b']], [[]]])('is one JSON array of the same chunks (deltas %j)', async (deltas) => {
    const tenant = await scripted({ deltas });
    const answer = await postGenerate(simulators.base(tenant.name), {}, asArray);
    expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8');
    const chunks = JSON.parse(answer.text) as Chunk[];
    expect(chunks.map(partOf)).toEqual([...deltas.map((text) => ({ text })), { text: '' }]);
    expect(chunks.at(-1)?.candidates[0].finishReason).toBe('STOP');
  });

  it('sends its errors as an array, too', async () => {
    const base = simulators.base(simulators.tenant().name);
    const bad = { generationConfig: { temperature: 3 } };
    expect((await postGenerate(base, bad, asArray)).json()).toEqual([
      { error: expect.objectContaining({ code: 400 }) },
    ]);
    expect((await postGenerate(base, bad, sse)).json()).toEqual({
      error: expect.objectContaining({ code: 400 }),
    });
  });
});
