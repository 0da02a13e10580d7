import { describe, expect, it } from 'vitest';
import { ask, type CallerView } from '../testing/caller-view.ts';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import { generateEvent, response } from '../testing/generate-content-upstream.ts';
import { bodyReply, generateWords, messagesWords } from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { patientBreaker, twoEndsEachTest } from '../testing/two-ends.ts';
import { parseEvents } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
}, patientBreaker);

/** Sends a generate-content response, plain or as the only event. */
function generated(stream: boolean, body: object): Promise<CallerView> {
  upstream.fallback = bodyReply(stream, stream ? generateEvent(body) : JSON.stringify(body));
  return ask(gateway, generateWords, stream, { tools: [{ type: 'function', function: { name: 'f' } }] });
}

describe.for([[false], [true]])('streamed: %s', ([stream = false]) => {
  it('a prompt that is blocked for a reason without a meaning of its own is refused as such (M1)', async () => {
    for (const blockReason of ['OTHER', 'NOVELTY']) {
      const body = { promptFeedback: { blockReason }, usageMetadata: { promptTokenCount: 8 } };
      expect(await generated(stream, body)).toMatchObject({ seen: 'refused', code: 'content_filter' });
    }
    expect(upstream.seen).toHaveLength(2);
  });

  it('arguments of generate-content that are no JSON are passed on as they are (M14)', async () => {
    const call = { functionCall: { name: 'f', args: broken } };
    const { finish, answer } = await generated(stream, response([call], 'STOP'));
    expect([finish, argumentsIn(answer)]).toEqual(['tool_calls', broken]);
  });
});

it('arguments of a whole message that are no object are passed on as they are (M14)', async () => {
  const content = [{ type: 'tool_use', id: 'c', name: 'f', input: broken }];
  upstream.fallback = bodyReply(false, JSON.stringify(messagesWords.plain('', { content })));
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const { finish, answer } = await ask(gateway, messagesWords, false, { tools });
  expect([finish, argumentsIn(answer)]).toEqual(['tool_calls', broken]);
});

const broken = '{"q": "half';

/** The arguments of the first call of an answer, put together. */
function argumentsIn({ json: whole, text }: CallerView['answer']): string {
  if (whole !== null) return whole.choices[0].message.tool_calls[0].function.arguments;
  const deltas = parseEvents(text).chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
  return deltas.map((call) => call.function.arguments).join('');
}
