import { expect, it } from 'vitest';
import { postGenerate, postImages, postJob } from '../testing/post-media.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

it('takes a native model by the name of one deployment of it', async () => {
  const base = simulators.base(simulators.tenant().name);
  const video = await postJob(base, {
    model: 'delta-imagine-t2v-native@eu-2',
    input: { prompt_text: 'the sea' },
  });
  const pictured = await postImages(base, { model: 'kx-max-1@2', prompt: 'the sea' });
  const params = { prompt: 'a', durationSec: 120 };
  const made = await postGenerate(base, {
    model: 'voice-music-native@x',
    reference: 'r',
    task: 'music',
    params,
  });
  expect([video.status, pictured.status, made.json()]).toMatchObject([201, 200, { code: 200 }]);
  expect((await postImages(base, { model: 'kx-max-1@', prompt: 'the sea' })).status).toBe(404);
});
