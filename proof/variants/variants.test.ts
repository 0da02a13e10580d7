import { describe, expect, it } from 'vitest';
import type { Mutation, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { chunks } from '../testing/variant-probe.ts';
import { combinedVariants, singleVariants } from './variants.ts';

const request: ProxyRequest = {
  method: 'POST',
  path: '/',
  headers: [['accept-encoding', 'gzip']],
  body: Buffer.alloc(0),
};
const stream = chunks.map((one) => `data: ${JSON.stringify(one)}`);

function throughStream({ events }: Mutation): string[] {
  const change = events?.(request);
  return [...stream, 'data: [DONE]', null].flatMap(
    (event) => change?.(event) ?? (event === null ? [] : [event]),
  );
}

/** The text, arguments, usage and finish reason of a stream. */
function meaning(events: readonly string[]): object {
  const chunks = events
    .flatMap((event) => event.split('\n'))
    .filter((line) => /^data: ?\{/.test(line))
    .map((line) => JSON.parse(line.slice(5)));
  const choices = chunks.flatMap((one) => one.choices);
  return {
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    arguments: choices
      .flatMap(({ delta }) => delta.tool_calls ?? [])
      .map((call) => call.function.arguments)
      .join(''),
    finishes: choices.map((choice) => choice.finish_reason ?? null).filter((reason) => reason !== null),
    roles: choices.map(({ delta }) => delta.role).filter((role) => role !== undefined),
    total: chunks.at(-1)?.usage?.total_tokens,
    done: events.at(-1)?.endsWith('[DONE]'),
  };
}

describe('every variant', () => {
  it.each([...singleVariants, ...combinedVariants])('$id keeps the content of a stream', ({ mutation }) => {
    expect(meaning(throughStream(mutation))).toEqual(meaning([...stream, 'data: [DONE]']));
  });
});

describe('the variants of a quick proof', () => {
  it('contain each difference once', () => {
    const parts = combinedVariants.flatMap((variant) => variant.title.split(': ')[1]?.split(', ') ?? []);
    expect(parts.toSorted()).toEqual(singleVariants.map((variant) => variant.id).toSorted());
  });
});
