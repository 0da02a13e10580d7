import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Profile, type ProfileInput, profileSchema } from '../profile/profile.ts';
import { pingReceivers } from '../runner/ping-receiver.ts';
import { withReceiver } from './start-receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'start-receiver-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function profileWith(receiver: NonNullable<ProfileInput['webhooks']>['receiver']): Profile {
  return profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-1' },
    webhooks: { receiver },
  });
}

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}

it('starts a profile’s receiver, reaches it by its URL, and writes the verifying certificate to a file', async () => {
  const port = await freePort();
  const ca_out = join(folder, 'ca.pem');
  const declared = profileWith({
    ...{ listen: `127.0.0.1:${port}`, base_url: `https://localhost:${port}`, ca_out },
  });
  const { profile, stop } = await withReceiver(declared);
  expect(await pingReceivers(profile)).toMatchObject({ lost: [] });
  await stop();
  expect(readFileSync(ca_out, 'utf8')).toContain('BEGIN CERTIFICATE');
});

it('reports a receiver that cannot start, with its last output', async () => {
  const files = { cert: join(folder, 'no.pem'), key: join(folder, 'no.key') };
  const declared = profileWith({ listen: '127.0.0.1:0', base_url: 'https://127.0.0.1:1', ...files });
  await expect(withReceiver(declared)).rejects.toThrow(
    /webhook receiver did not start: cannot read .*no\.pem/,
  );
});

it('leaves a running receiver unchanged, and a profile without a receiver too', async () => {
  for (const profile of [profileWith({ control: 'http://127.0.0.1:1' }), profileWith(undefined)]) {
    const used = await withReceiver(profile);
    expect(used.profile).toBe(profile);
    await used.stop();
  }
});
