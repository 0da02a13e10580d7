import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProbeSample, ProbeTarget } from './probe.ts';

/** A bystander in a thread of its own, so that making large bodies here does not look like a stall of the deployment. */
const { url, headers, tls, pauseMs } = workerData as ProbeTarget;
const isSecure = url.startsWith('https:');
const agent = isSecure
  ? new SecureAgent({ keepAlive: true, maxSockets: 1, ...tls })
  : new PlainAgent({ keepAlive: true, maxSockets: 1 });
let samples: ProbeSample[] = [];
let goesOn = true;

parentPort?.on('message', (message: 'take' | 'end') => {
  if (message === 'end') {
    goesOn = false;
    agent.destroy();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(samples);
  samples = [];
});

const now = (): number => performance.timeOrigin + performance.now();

function ask(): Promise<number | null> {
  return new Promise((resolve) => {
    const outgoing = (isSecure ? secureRequest : plainRequest)(url, { agent, headers }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => resolve(incoming.statusCode ?? null));
      incoming.on('error', () => resolve(null));
    });
    outgoing.on('error', () => resolve(null));
    outgoing.end();
  });
}

while (goesOn) {
  const startedAt = now();
  const status = await ask();
  samples.push({ startedAt, ms: now() - startedAt, status });
  await wait(pauseMs);
}
