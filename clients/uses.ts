import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from './stack.ts';
import type { Subject } from './subject.ts';

/** Something that people do with a client. It throws where the client cannot. */
export interface Use {
  readonly name: string;
  try(subject: Subject, stack: Stack): Promise<void>;
}

/** Time in ms after which a client counts as not disconnecting. */
const leavesWithinMs = 8_000;

/** One red pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

const callOf = (name: string, word: string) => ({ name, arguments: JSON.stringify({ word }) });
const two = [callOf('look_up', 'sea'), callOf('spell', 'wave')];

const calls = (
  name: string,
  made: readonly { name: string; arguments: string }[],
  streamed: boolean,
): Use => ({
  name,
  try: async (subject, stack) => {
    await stack.script([{ tool_calls: made }]);
    const wanted = made.map((call) => ({ name: call.name, args: JSON.parse(call.arguments) }));
    deepStrictEqual(await subject.calls(streamed), wanted);
  },
});

/** The name of an error's status differs between clients, and between their layers. */
function statusOf(error: unknown): unknown {
  const { status, statusCode, cause, message } = error as {
    readonly status?: unknown;
    readonly statusCode?: unknown;
    readonly cause?: unknown;
    readonly message?: unknown;
  };
  const inText = /\[(\d{3}) /.exec(String(message))?.[1];
  return status ?? statusCode ?? (cause instanceof Error ? statusOf(cause) : Number(inText));
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  const [result] = await Promise.allSettled([work]);
  if (result?.status === 'rejected') return result.reason;
  throw new Error('it was served');
}

/** All uses, in the order of the table. */
export const uses: readonly Use[] = [
  {
    name: 'text',
    try: async (subject, stack) => {
      await stack.script([{ text: 'Hello there. 🌊' }]);
      strictEqual(await subject.text(), 'Hello there. 🌊');
    },
  },
  {
    name: 'stream',
    try: async (subject, stack) => {
      await stack.script([{ deltas: ['One ', 'two ', 'three.'] }]);
      strictEqual(await subject.stream(), 'One two three.');
    },
  },
  calls('tool', two.slice(0, 1), false),
  calls('tool, streamed', two.slice(0, 1), true),
  calls('tools in parallel', two, false),
  calls('in parallel, streamed', two, true),
  {
    name: 'structured output',
    try: async (subject, stack) => {
      const answer = { name: 'Atlantic' };
      const made = [{ name: 'answer', arguments: JSON.stringify(answer) }];
      await stack.script([
        subject.objectByTool === true ? { tool_calls: made } : { text: JSON.stringify(answer) },
      ]);
      deepStrictEqual(await subject.object(), answer);
    },
  },
  {
    name: 'image',
    try: async (subject, stack) => {
      await stack.script([{ text: 'A dot.' }]);
      if (subject.sees) {
        strictEqual(await subject.image(dot), 'A dot.');
        ok((await stack.upstreamBodies()).includes(dot), 'the image did not reach the upstream');
      } else strictEqual(statusOf(await errorOf(subject.image(dot))), 400);
    },
  },
  {
    name: 'abort',
    try: async (subject, stack) => {
      await stack.script([{ hang: 'head' }]);
      const leaving = new AbortController();
      const work = Promise.allSettled([subject.text(leaving.signal)]);
      await stack.hanging();
      leaving.abort();
      const ended = await Promise.race([work, wait(leavesWithinMs, null)]);
      if (ended === null) {
        await stack.reset();
        await work;
        throw new Error('its call goes on after the abort');
      }
      strictEqual(ended[0].status, 'rejected');
      await stack.script([{ text: 'Back.' }]);
      strictEqual(await subject.text(), 'Back.');
    },
  },
  {
    name: 'typed error',
    try: async (subject) => {
      strictEqual(statusOf(await errorOf(subject.unknownModel())), 404);
    },
  },
  {
    name: 'retry',
    try: async (subject, stack) => {
      await stack.script([{ status: 503 }, { text: 'Back.' }]);
      strictEqual(await subject.text(), 'Back.');
    },
  },
  {
    name: 'cached tokens',
    try: async (subject, stack) => {
      const usage = { prompt_tokens: 50, completion_tokens: 5, cached_tokens: 40 };
      await stack.script([{ text: 'Hello.', usage }]);
      strictEqual(await subject.cachedTokens(), 40);
    },
  },
];
