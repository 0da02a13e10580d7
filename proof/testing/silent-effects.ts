import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { failed } from './read-answer.ts';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;
type Json = Record<string, unknown>;

const read = async (probe: Probe, seen: Json, status = 200, id = 't-1'): Promise<Json> =>
  JSON.parse((await probe.through('GET', `/api/v1/tasks/${id}`, seen, undefined, status)).text) as Json;

const record = (model: string): Json => ({
  task_id: 't-1',
  status: 'SUCCESS',
  model,
  result_urls: ['https://x.example/a'],
  duration_sec: 5,
});

/** The effects of the variants that differ where the specification is silent. */
export const silentEffects: Readonly<Record<string, Effect>> = {
  'error.param-beside-other-faults': async (probe) => {
    const full = { ...failed, type: 'rate_limit_error', code: 'quota_exceeded', param: null };
    expect(JSON.parse((await probe.error(429, full)).text).error.param).toBe('model');
    const fault = { ...failed, type: 'invalid_request_error', code: 'invalid_param', param: 'n' };
    expect(JSON.parse((await probe.error(400, fault)).text).error.param).toBe('n');
  },
  'path.pages-beside': async (probe) => {
    for (const path of ['/', '/api/v1/', '/robots.txt'])
      expect((await probe.through('GET', path, {})).text).toContain('<h1>Welcome');
    expect((await probe.through('GET', '/api/v1/zzz', {}, undefined, 404)).status).toBe(404);
  },
  'path.encoded-refused': async (probe) => {
    expect((await probe.through('GET', '/api/v1/tasks/a%20b', {})).status).toBe(400);
    expect((await probe.through('GET', '/api/v1/tasks/ab', {})).status).toBe(200);
  },
  'task.other-result-names': async (probe) => {
    const song = await read(probe, record('song-v5'));
    expect([song.result_urls ?? [], song.outputs]).toEqual([[], [{ url: 'https://x.example/a' }]]);
    expect((await read(probe, record('vidB2'))).result_urls).toEqual(['https://x.example/a']);
  },
  'cap.short-queue': async (probe) => {
    const capped = { ...failed, type: 'rate_limit_error', code: 'concurrency_exceeded' };
    expect((await probe.error(429, capped)).headMs).toBeGreaterThan(1_400);
    expect((await probe.error(429, failed)).headMs).toBeLessThan(1_400);
  },
  'secret.other-words': async (probe) => {
    const unknown = {
      error: { ...failed, type: 'invalid_request_error', code: 'task_not_found', param: null },
    };
    const id = randomUUID();
    const before = (await read(probe, unknown, 404, id)).error as Json;
    await read(probe, { ...record('vidB2'), task_id: id });
    const after = (await read(probe, unknown, 404, id)).error as Json;
    expect(after.message).not.toBe(before.message);
  },
};
