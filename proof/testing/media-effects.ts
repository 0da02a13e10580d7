import { expect } from 'vitest';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;
type Json = Record<string, unknown>;

const image = 'https://x.example/a.png';
const record = (status: string, more: Json = {}): Json => ({
  task_id: 't',
  status,
  model: 'journey-v7',
  result_urls: status === 'SUCCESS' ? [image, image] : null,
  duration_sec: null,
  error: null,
  ...more,
});

const read = async (probe: Probe, seen: Json): Promise<Json> =>
  JSON.parse((await probe.through('GET', '/api/v1/tasks/t', seen)).text) as Json;

/** The effects of the variants of images and tasks. */
export const mediaEffects: Readonly<Record<string, Effect>> = {
  'task.submitted-202': async (probe) => {
    const answer = { task_id: 't', status: 'QUEUED', submit_time: '2026-11-22T10:00:00.123Z' };
    const film = await probe.through('POST', '/api/v1/tasks', answer, { model: 'vidB2' });
    expect(film.status).toBe(202);
    expect(JSON.parse(film.text)).toMatchObject({
      status: 'queued',
      submit_time: '2026-11-22T12:00:00+02:00',
    });
    const song = await probe.through('POST', '/api/v1/tasks', answer, { model: 'song-v5' });
    expect(JSON.parse(song.text)).not.toHaveProperty('submit_time');
  },
  'task.sparse-records': async (probe) => {
    const running = await read(probe, record('RUNNING'));
    expect(running.result_urls).toEqual([]);
    expect('duration_sec' in running).toBe(false);
    const failed = await read(probe, record('FAILED', { error: { code: 'upstream_error' } }));
    expect('error' in failed).toBe(false);
  },
  'task.rich-records': async (probe) => {
    expect(await read(probe, record('RUNNING'))).toMatchObject({ progress: 37, owner: { team: 'a' } });
  },
  'task.links-signed-anew': async (probe) => {
    const links = [await read(probe, record('SUCCESS')), await read(probe, record('SUCCESS'))].map(
      ({ result_urls: urls }) => String((urls as string[])[0]),
    );
    expect(links[0]).toMatch(/\?signature=\d+$/);
    expect(links[0]).not.toBe(links[1]);
  },
  'task.composite-grid': async (probe) => {
    expect((await read(probe, record('SUCCESS'))).result_urls).toHaveLength(1);
    const film = await read(probe, record('SUCCESS', { model: 'vidB2' }));
    expect(film.result_urls).toHaveLength(2);
  },
  'task.expired-is-gone': async (probe) => {
    const gone = await probe.through('GET', '/api/v1/tasks/t', record('EXPIRED'));
    expect([gone.status, JSON.parse(gone.text).error.code]).toEqual([404, 'task_not_found']);
  },
  'images.null-members': async (probe) => {
    const answer = { created: 1, data: [{ url: image }] };
    const got = await probe.through('POST', '/api/v1/images/generations', answer, { model: 'kontext-pro' });
    expect(JSON.parse(got.text).data).toMatchObject([{ url: image, b64_json: null, revised_prompt: null }]);
  },
};
