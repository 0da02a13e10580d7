import { describe, expect, it } from 'vitest';
import {
  completion,
  delta,
  events,
  type FakeUpstream,
  frames,
  ourUsage,
} from '../../testing/fake-upstream.ts';
import {
  blockDelta,
  message,
  messageEnd,
  messageStart,
  messageStream,
  ourMessageUsage,
  toolBlock,
} from '../../testing/messages-upstream.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../../testing/test-gateway.ts';
import { readStream, type TwoEnds, twoEndsEachTest } from '../../testing/two-ends.ts';
import { parseEvents, startRead, streamedText } from '../../testing/wire.ts';

let ends: TwoEnds;
let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((started) => {
  ends = started;
  ({ upstream, gateway } = started);
});

const user = { role: 'user', content: 'hi' };
const request = { model: 'beta-small-4-5', messages: [user], stop: ['\n', 'END'] };
const text = (value: string): string => blockDelta(0, { type: 'text_delta', text: value });
const callBlock = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };

describe('a stop sequence that the upstream would reject', () => {
  it('cuts a whole answer but keeps the upstream counts; other stop sequences are sent', async () => {
    upstream.fallback = message([{ type: 'text', text: 'one\ntwo' }, callBlock], { stop_reason: 'tool_use' });
    const { status, json: answer } = await gateway.chat(request);
    expect(status).toBe(200);
    expect(upstream.seen[0]?.body.stop_sequences).toEqual(['END']);
    expect(answer.choices).toEqual([
      { index: 0, message: { role: 'assistant', content: 'one' }, finish_reason: 'stop' },
    ]);
    expect(answer.usage).toEqual(ourMessageUsage);
  });

  it('cuts a stream, and uses the upstream counts if the stream ends soon', async () => {
    const { answer, chunks, done } = await readStream(ends, { ...request, stream: true }, [
      messageStart,
      text('o'),
      text('ne\ntwo'),
      text('three'),
      ...toolBlock(1, 'toolu_1', 'f', ['{}']),
      ...messageEnd('max_tokens'),
    ]);
    expect(streamedText(answer.text)).toBe('one');
    expect(chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? [])).toEqual([]);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: ourMessageUsage });
    expect(done).toBe(true);
    expect(gateway.records).toMatchObject([{ outcome: 'success', completion_tokens: 7n }]);
  });

  it('forwards the text before it at once, and waits for the counts only a while', async () => {
    upstream.fallback = events([messageStart, text('one\n'), text('two')], 'hang');
    const { body } = await startRead(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      body: { ...request, stream: true },
    });
    let all = '';
    for await (const piece of body) {
      if (all === '') void gateway.clock.advance(2000);
      all += piece;
    }
    expect(streamedText(all)).toBe('one');
    const { chunks, done } = parseEvents(all);
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 1 },
    });
    expect(done).toBe(true);
    await upstream.seen[0]?.aborted;
    expect(gateway.clock.nextDue()).toBeNull();
  });

  it('may be at the very start', async () => {
    const { chunks, done } = await readStream(ends, { ...request, stream: true }, messageStream(['\nx']));
    expect(chunks.map((chunk) => chunk.choices[0].delta)).toEqual([{ role: 'assistant' }, {}]);
    expect(done).toBe(true);
  });

  it('also cuts a JSON document', async () => {
    const { answer } = await readStream(
      ends,
      { ...request, stream: true, response_format: { type: 'json_object' } },
      [messageStart, ...toolBlock(0, 'd', 'answer_in_json', ['{"a":', '\n1}']), ...messageEnd('tool_use')],
    );
    expect(streamedText(answer.text)).toBe('{"a":');
  });
});

describe('an upstream without stop sequences', () => {
  const asked = { model: 'alpha-5-2', messages: [user], stop: 'END' };

  it('is sent none, and the gateway cuts its texts', async () => {
    const { channels } = testConfig(upstream.url);
    const stubborn = channels.map((channel) => ({ ...channel, takes_stop: false }));
    const other = await startTestGateway(testConfig(upstream.url, { channels: stubborn }));
    upstream.queue.push(completion('one END two'), events(frames(['one E', 'ND two'])));
    const { json: answer } = await other.chat(asked);
    expect(answer).toMatchObject({
      choices: [{ message: { content: 'one ' }, finish_reason: 'stop' }],
      usage: ourUsage,
    });
    const { text: streamed } = await other.chat({ ...asked, stream: true });
    expect(streamedText(streamed)).toBe('one ');
    expect(parseEvents(streamed).chunks.at(-1)).toMatchObject({ usage: ourUsage });
    for (const seen of upstream.seen) expect(seen.body).not.toHaveProperty('stop');
    await other.close();
  });

  it('is the exception: other upstreams get all stop sequences and are trusted', async () => {
    upstream.fallback = events([delta({ content: 'one END' }), ...frames([]).slice(1)]);
    const { text: streamed } = await gateway.chat({ ...asked, stream: true });
    expect(streamedText(streamed)).toBe('one END');
    expect(upstream.seen[0]?.body.stop).toBe('END');
  });
});
