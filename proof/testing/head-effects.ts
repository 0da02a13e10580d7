import { expect } from 'vitest';
import { failed, header } from './read-answer.ts';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

/** The effects of the variants of status lines and headers. */
export const headEffects: Readonly<Record<string, Effect>> = {
  'head.extra-headers': async (probe) => {
    for (const got of [await probe.plain(), await probe.stream()])
      expect(header(got, 'via')).toEqual(['1.1 edge']);
  },
  'head.content-type-form': async (probe) => {
    expect(header(await probe.plain(), 'content-type')[0]).toMatch(/Charset/);
    expect(header(await probe.stream(), 'content-type')[0]).toMatch(/^Text\/Event-Stream;/);
  },
  'head.retry-after': async (probe) => {
    const [text = ''] = header(await probe.error(429, failed), 'retry-after');
    // Another variant may have replaced it by a date; the gateway behind sends 7.
    expect(text === '2' || Date.parse(text) < Date.now() + 4_000).toBe(true);
  },
  'head.no-retry-after': async (probe) => {
    expect(header(await probe.error(429, failed), 'retry-after')).toEqual([]);
  },
  'head.retry-date': async (probe) => {
    const [text = ''] = header(await probe.error(429, failed), 'retry-after');
    expect(new Date(Date.parse(text)).toUTCString()).toBe(text);
    expect(Date.parse(text)).toBeGreaterThan(Date.now());
  },
  'head.chunked': async (probe) => {
    expect(header(await probe.plain(), 'transfer-encoding')).toEqual(['chunked']);
  },
  'head.gzip': async (probe) => {
    for (const got of [await probe.plain(), await probe.error(400, failed), await probe.stream()])
      expect(header(got, 'content-encoding')).toEqual(['gzip']);
  },
  'head.slow': async (probe) => {
    // Timers may fire slightly early.
    expect((await probe.plain()).headMs).toBeGreaterThan(20);
  },
};
