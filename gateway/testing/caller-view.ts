import { expect } from 'vitest';
import type { NativeWords } from './native-dialects.ts';
import type { TestGateway } from './test-gateway.ts';
import { type Answer, parseEvents } from './wire.ts';

/** An answer as a caller classifies it: complete and valid, a plain error, or a stream that began and visibly broke. */
interface CallerView {
  readonly seen: 'served' | 'refused' | 'broken';
  readonly code: string | null;
  readonly param: string | null;
  readonly text: string;
  readonly finish: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
  readonly usage: any;
  readonly answer: Answer;
}

/** Sends a request over a dialect. Also asserts what holds for every answer: its shape, and no raw upstream text in it. */
export async function ask(
  gateway: TestGateway,
  { model, channel }: NativeWords,
  stream: boolean,
  more: object = {},
): Promise<CallerView> {
  const answer = await gateway.chat({
    model,
    messages: [{ role: 'user', content: 'hi' }],
    temperature: 1,
    stream,
    ...more,
  });
  expect(JSON.stringify([answer.text, answer.headers, gateway.logLines])).not.toMatch(/CANARY|native-/);
  const view = viewOf(answer);
  if (view.code !== null) {
    const errors = answer.json === null ? parseEvents(answer.text).chunks.at(-1) : answer.json;
    expect(errors.error).toEqual({
      type: expect.any(String),
      code: view.code,
      message: expect.any(String),
      channel,
      param: view.param,
    });
  }
  return view;
}

function viewOf(answer: Answer): CallerView {
  const none = { code: null, param: null, text: '', finish: null, usage: null, answer };
  if (answer.status !== 200) {
    const { code, param } = answer.json.error;
    return { ...none, seen: 'refused', code, param };
  }
  if (answer.json !== null) {
    const [choice] = answer.json.choices;
    const text = choice.message.content ?? '';
    return { ...none, seen: 'served', text, finish: choice.finish_reason, usage: answer.json.usage };
  }
  const { chunks, done } = parseEvents(answer.text);
  expect(done).toBe(true);
  const last = chunks.at(-1);
  const text = chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join('');
  if (last.error !== undefined) {
    expect(chunks.some((chunk) => chunk.choices?.[0]?.finish_reason)).toBe(false);
    return { ...none, seen: 'broken', code: last.error.code, param: last.error.param, text };
  }
  return { ...none, seen: 'served', text, finish: last.choices[0].finish_reason, usage: last.usage };
}
