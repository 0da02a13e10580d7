import { expect, it } from 'vitest';
import { get, postImages, postJob } from '../../testing/post-media.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const film = { model: 'vidB2-native', input: { prompt_text: 'the sea', seconds: 10 } };

async function filmLink(tenantName: string): Promise<string> {
  const base = simulators.base(tenantName, 'video');
  const { id } = (await postJob(base, film)).json<{ id: string }>();
  await simulators.control.advance(100);
  const { output } = (await get(`${base}/jobs/${id}`)).json<{ output: { url: string }[] }>();
  return output[0]?.url ?? '';
}

it('expires a link one hour after the job has ended', async () => {
  const link = await filmLink(simulators.tenant().name);
  await simulators.control.advance(3_590_000);
  expect((await get(link)).status).toBe(200);
  await simulators.control.advance(10_000);
  expect((await get(link)).status).toBe(403);
});

it('keeps a link valid for the scripted time', async () => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ job: { link_life_ms: 5000 } }] });
  const body = { model: 'edit-1', prompt: 'a', source_image: 'https://a.example/b.png', output: 'url' };
  const { data } = (await postImages(simulators.base(tenant.name), body)).json<{ data: { url: string }[] }>();
  const url = data[0]?.url ?? '';
  expect((await get(url)).status).toBe(200);
  await simulators.control.advance(5000);
  expect((await get(url)).status).toBe(403);
});

it('never serves a result that is scripted as lost, but serves the others', async () => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ job: { outputs: 3, lost_outputs: [1] } }] });
  const base = simulators.base(tenant.name, 'video');
  const { id } = (await postJob(base, film)).json<{ id: string }>();
  await simulators.control.advance(100);
  const { output } = (await get(`${base}/jobs/${id}`)).json<{ output: { url: string }[] }>();
  const got = await Promise.all(output.map(({ url }) => get(url)));
  expect(got.map(({ status }) => status)).toEqual([200, 404, 200]);
});

it('finds a job by a URL-encoded id, and serves its output', async () => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ job: { id_tail: '+1&x=%2F#' } }] });
  const base = simulators.base(tenant.name, 'video');
  const { id } = (await postJob(base, film)).json<{ id: string }>();
  expect(id).toMatch(/\+1&x=%2F#$/);
  await simulators.control.advance(100);
  const answer = await get(`${base}/jobs/${encodeURIComponent(id)}`);
  const { output } = answer.json<{ output: { url: string }[] }>();
  expect((await get(output[0]?.url ?? '')).status).toBe(200);
});

it('rejects another expiry, signature or tenant, and an unknown file', async () => {
  const tenant = simulators.tenant();
  const link = await filmLink(tenant.name);
  const later = link.replace(/expires=\d/, 'expires=9');
  expect((await get(later)).status).toBe(403);
  expect((await get(link.slice(0, -1))).status).toBe(403);
  expect((await get(link.split('?')[0] ?? '')).status).toBe(403);
  expect((await get(link.replace(tenant.name, simulators.tenant().name))).status).toBe(404);
  expect((await get(link.replace('/video/', '/other/'))).status).toBe(404);
  expect((await get(link.replace('.mp4', '.png'))).status).toBe(404);
  await tenant.reset();
  expect((await get(link)).status).toBe(404);
});
