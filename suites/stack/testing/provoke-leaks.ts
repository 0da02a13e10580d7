import { SimulatorControl } from 'gatecheck-simulators/client';
import { expect } from 'vitest';
import { callHook } from '../../engine/call-hook.ts';
import type { Stack } from '../stack.ts';
import type { CanaryCall } from './canaries.ts';

/** Longer than any cool-down of a channel, ms. */
const recoveryMs = 600_000;

/** Makes calls whose upstream repeats its own key and the prompt in its body and in its headers. */
export async function provokeUpstreams(
  stack: Stack,
  ask: (call: CanaryCall) => Promise<string>,
  prompt: string,
): Promise<void> {
  const { upstream, hooks, keys } = stack.profile;
  const control = new SimulatorControl(upstream?.control ?? '');
  const said = `Incorrect API key provided: ${upstream?.keys[0]}, for ${prompt}`;
  const body = { error: { message: said, type: said, code: 'invalid_api_key', param: said } };
  const headers = {
    'x-debug-key': upstream?.keys[0] ?? '',
    'www-authenticate': `Bearer ${upstream?.keys[0]}`,
  };
  const streamed = { ...headers, 'content-type': 'text/event-stream' };
  const replies = [
    ...[400, 401, 403, 404, 429, 500, 503].map((status) => ({ status, body, headers })),
    { status: 500, body: said, headers },
    { status: 200, body: said, headers },
    { status: 200, body: `data: ${JSON.stringify(body)}\n\n`, headers: streamed },
    {
      status: 200,
      body: `event: error\ndata: ${JSON.stringify({ type: 'error', ...body })}\n\n`,
      headers: streamed,
    },
  ];
  const outcomes: string[] = [];
  for (const reply of replies) {
    await control.tenant('default').script({ marker: 'Fail', replies: [reply] });
    for (const model of ['delta-3', 'beta-large-4-5', 'gamma-3-pro']) {
      for (const stream of [false, true]) {
        const answer = await ask({
          as: `a call whose upstream answers ${reply.status}`,
          path: '/api/v1/chat/completions',
          headers: { authorization: `Bearer ${keys.K1}` },
          body: { model, stream, messages: [{ role: 'user', content: `Fail: ${prompt}` }] },
        });
        outcomes.push(/"code":"(\w+)"/.exec(answer)?.[1] ?? answer.slice(0, 3));
        await callHook({
          name: 'clock',
          url: '',
          token: '',
          ...hooks.clock,
          body: { advance_ms: recoveryMs },
        });
      }
    }
  }
  expect(outcomes.filter((code) => code === 'upstream_error').length).toBeGreaterThan(40);
  await control.close();
}

/** Stops the store. The usage of a running call waits on disk, and the next call cannot be admitted. */
export async function loseStore(
  { profile }: Stack,
  ask: (call: CanaryCall) => Promise<string>,
): Promise<void> {
  const control = new SimulatorControl(profile.upstream?.control ?? '');
  const upstream = control.tenant('default');
  const store = (stopped: boolean) =>
    callHook({ name: 'store', url: '', token: '', ...profile.hooks.store, body: { stopped } });
  await upstream.script({ marker: 'Late', replies: [{ text: 'Late.', gates: ['head'] }] });
  const call = {
    as: 'a call without a database',
    path: '/api/v1/chat/completions',
    headers: { authorization: `Bearer ${profile.keys.K1}` },
    body: { model: 'delta-3', messages: [{ role: 'user', content: 'Late.' }] },
  };
  const late = ask(call);
  await upstream.journal({ waiting: 1 });
  await store(true);
  await upstream.release();
  expect(await late).toMatch(/^200 /);
  expect(await ask(call)).toContain('internal_error');
  await store(false);
  await control.close();
}
