import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SimulatorControl } from 'gatecheck-simulators/client';
import { parse } from 'yaml';
import { profileSchema } from '../../profile/profile.ts';
import { compose, docker } from './small-gateway-image.ts';

const run = promisify(execFile);

/** The callers' view while one of two gateways was stopped in its container. */
export interface Stopped {
  /** Each stream that was open then, as it was received to its end. */
  readonly streams: readonly string[];
  /** The status of a call that came meanwhile. */
  readonly laterStatus: number;
  readonly exitCode: number;
}

/** Together with the later call, at most the cap of the key's user. */
const streams = 4;
const graceSeconds = 45;

/** Stops `gateway-1` of the compose deployment that runs with these variables, in the midst of streams through its balancer. */
export async function stopUnderStreams(env: NodeJS.ProcessEnv): Promise<Stopped> {
  const text = compose(env, 'exec', '-T', 'simulators', 'cat', '/deployment/target.yaml');
  const profile = profileSchema.parse(parse(text));
  const address = (service: string, port: string): string => `http://${compose(env, 'port', service, port)}`;
  const base = address('balancer', '8080');
  const control = new SimulatorControl(address('simulators', '9401'), {
    token: profile.upstream?.token ?? '',
  });
  const ask = (stream: boolean): Promise<Response> =>
    fetch(`${base}/api/v1/chat/completions`, {
      method: 'POST',
      // Each stream has its own connection, which the balancer assigns to the next gateway.
      headers: {
        authorization: `Bearer ${profile.keys.raised}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ model: 'delta-3', stream, messages: [{ role: 'user', content: 'hi' }] }),
    });
  try {
    const upstream = control.tenant('default');
    await upstream.addFault({ reply: { deltas: ['one ', 'two ', 'three'], gates: [1] }, times: streams });
    const opened = await Promise.all(Array.from({ length: streams }, () => ask(true)));
    if (!(await upstream.journal({ waiting: streams })).satisfied)
      throw new Error(`the streams did not begin: ${opened.map(({ status }) => status)}`);
    const read = opened.map((answer) => answer.text());
    const [container = ''] = compose(env, 'ps', '--quiet', 'gateway-1').split('\n');
    const stopping = run('docker', ['stop', '--time', String(graceSeconds), container]);
    while (await isReady(container)) await wait(100);
    const later = await ask(false);
    await later.text();
    await upstream.release();
    const ended = await Promise.all(read);
    await stopping;
    const exitCode = Number(docker('inspect', '--format', '{{.State.ExitCode}}', container));
    return { streams: ended, laterStatus: later.status, exitCode };
  } finally {
    await control.close();
  }
}

/** Whether the gateway in a container reports ready to its own health check. */
async function isReady(container: string): Promise<boolean> {
  const look =
    "fetch('http://127.0.0.1:8080/readyz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))";
  return run('docker', ['exec', container, 'node', '-e', look]).then(
    () => true,
    () => false,
  );
}
