import { expect, it } from 'vitest';
import { useSimulators } from '../testing/simulators.ts';
import { variantFacts } from './known-variants.ts';

const simulators = useSimulators();
const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };

/** The answers of a provider to a submit, and to polls of the job until it has ended. */
async function lifeOf(variant: string, dialect: string): Promise<{ submitted: unknown; ended: unknown }> {
  const tenant = simulators.tenant();
  await tenant.settings({ variants: [variant] });
  await tenant.script({ replies: [{ job: { queued_ms: 0, running_ms: 0, duration_s: 5 } }] });
  const base = simulators.base(tenant.name);
  const isSong = dialect === 'callback-jobs';
  const body = isSong
    ? { model: 'song-5-native', task: 'generate', params: { prompt: 'sea' } }
    : { model: 'vidB2-native', input: { prompt_text: 'sea' } };
  const url = isSong ? `${base}/generate` : `${base}/jobs`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const submitted = await answer.json();
  const [job] = await tenant.jobs();
  const id = job?.id ?? '';
  const poll = await fetch(isSong ? `${base}/record?taskId=${id}` : `${base}/jobs/${id}`, { headers });
  return { submitted, ended: await poll.json() };
}

const some = (members: object): unknown => expect.objectContaining(members);
const link = expect.stringMatching(/^http/);

const forms: Readonly<Record<string, readonly [submitted: unknown, ended: unknown]>> = {
  'kling-wrapped': [
    { code: 0, data: { task_id: expect.any(String), task_status: 'submitted' } },
    { data: { task_status: 'succeed', task_result: { videos: [{ url: link, duration_seconds: '5.0' }] } } },
  ],
  'xai-video': [
    { request_id: expect.any(String), status: 'pending' },
    { status: 'done', video: { url: link, duration: 5 } },
  ],
  'runway-links': [{ status: 'THROTTLED' }, { status: 'SUCCEEDED', output: [link] }],
  'vidu-creations': [{ state: 'queueing' }, { state: 'success', creations: [some({ url: link })] }],
  'kie-market': [
    { data: { taskId: expect.any(String) } },
    { data: { state: 'success', resultJson: expect.stringMatching(/^\{"resultUrls":\["http/) } },
  ],
  'kie-suno': [
    { data: { taskId: expect.any(String) } },
    { data: { status: 'SUCCESS', response: { sunoData: [{ audioUrl: link, duration: 5 }] } } },
  ],
  'kie-flag': [
    { data: { taskId: expect.any(String) } },
    { data: { successFlag: 1, response: { resultUrls: [link] } } },
  ],
};

const ofJobs = variantFacts.filter(({ dialect }) => /jobs$/.test(dialect));

it.each(ofJobs)('$name writes a job as its source documents', async ({ name, dialect }) => {
  const [submitted, ended] = forms[name] ?? [];
  expect(await lifeOf(name, dialect)).toMatchObject({ submitted, ended });
});

it.each([
  ['url', { image_urls: [link, link] }],
  ['base64', { image_base64: [expect.any(String), expect.any(String)] }],
] as const)('minimax-images lists images as %s flatly', async (output, data) => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ variant: 'minimax-images' }] });
  const body = JSON.stringify({ model: 'a2-image-2026-08', prompt: 'sea', count: 2, output });
  const answer = await fetch(`${simulators.base(tenant.name)}/images/generations`, {
    ...{ method: 'POST', headers, body },
  });
  expect(await answer.json()).toMatchObject({ data });
});

it('refuses a variant of jobs in a reply, which polls would not follow', async () => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ variant: 'runway-links' }] });
  const body = JSON.stringify({ model: 'vidB2-native', input: { prompt_text: 'sea' } });
  const answer = await fetch(`${simulators.base(tenant.name)}/jobs`, { method: 'POST', headers, body });
  expect(answer.status).toBe(501);
  expect(await answer.text()).toContain('settings of the tenant');
});
