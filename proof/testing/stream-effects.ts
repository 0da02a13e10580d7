import { expect } from 'vitest';
import { chunksOf, deltasOf, failing } from './read-answer.ts';
import { chunks, type Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

/** The effects of the variants of streams and of their failures. */
export const streamEffects: Readonly<Record<string, Effect>> = {
  'stream.merged-deltas': async (probe) => {
    expect(deltasOf(await probe.stream()).map((delta) => delta.content)).toContain('Grüße 👋 there');
  },
  'stream.split-deltas': async (probe) => {
    expect(deltasOf(await probe.stream()).length).toBeGreaterThanOrEqual(chunks.length + 3);
  },
  'stream.role-with-first-content': async (probe) => {
    expect(deltasOf(await probe.stream())[0]).toMatchObject({
      role: 'assistant',
      content: expect.stringContaining('Gr'),
    });
  },
  'stream.role-alone': async (probe) => {
    const [first] = deltasOf(await probe.stream());
    expect(first).toHaveProperty('role');
    expect(first).not.toHaveProperty('content');
  },
  'stream.finish-left-out': async (probe) => {
    const choices = chunksOf(await probe.stream()).flatMap((chunk) => chunk.choices as object[]);
    expect(choices[0]).not.toHaveProperty('finish_reason');
    expect(choices.filter((choice) => 'finish_reason' in choice)).toHaveLength(1);
  },
  'stream.usage-alone': async (probe) => {
    expect(chunksOf(await probe.stream()).at(-1)).toMatchObject({ choices: [], usage: {} });
  },
  'stream.usage-null-before': async (probe) => {
    expect(chunksOf(await probe.stream())[0]).toMatchObject({ usage: null });
  },
  'failure.cuts-the-stream': async (probe) => {
    const got = await probe.stream(failing);
    expect([got.broken, got.text.includes('error')]).toEqual([true, false]);
    expect(got.text).toContain('assistant');
  },
  'failure.without-done': async (probe) => {
    const got = await probe.stream(failing);
    expect([got.broken, got.text.includes('upstream_error'), got.text.includes('[DONE]')]).toEqual([
      false,
      true,
      false,
    ]);
    expect((await probe.stream()).text).toContain('[DONE]');
  },
  'failure.finish-error': async (probe) => {
    const last = (await probe.stream(failing)).text;
    expect(last).toMatch(/"finish_reason": ?"error"/);
  },
  'stream.crlf': async (probe) => {
    const { text } = await probe.stream();
    expect(text.split('\r\n').length).toBe(text.split('\n').length);
  },
  'stream.comments': async (probe) => {
    expect((await probe.stream()).text).toMatch(/^: keep-alive/m);
  },
  'stream.few-bytes': async (probe) => {
    expect((await probe.stream()).pieces).toBeGreaterThan(20);
  },
  'stream.heartbeats': async (probe) => {
    expect((await probe.stream()).text).toMatch(/^: heartbeat/m);
  },
  'stream.other-fields': async (probe) => {
    expect((await probe.stream()).text).toMatch(/^event: message\r?\nid: 1\r?\ndata:\{/m);
  },
};
