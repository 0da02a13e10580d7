import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { imageFacts } from './testing/image-facts.ts';
import { readReport, runCli, startCli } from './testing/run-cli.ts';
import { smallGatewayKey } from './testing/small-gateway.ts';
import { buildSmallGatewayImage, compose, docker, isComposePlugin } from './testing/small-gateway-image.ts';
import { stopUnderStreams } from './testing/stop-under-streams.ts';

/**
 * Deployments that a run starts from containers. `.ci/containers run` starts an engine, builds images while other tests run,
 * and writes its result into this file.
 */
const state = process.env.GATECHECK_TEST_ENGINE;

const example = fileURLToPath(new URL('../../docs/examples/own-image.yaml', import.meta.url));
const image = 'my-gateway:latest';
const env = { GATEWAY_KEY: smallGatewayKey };
const only = 'auth.header.missing,ep.paths.unknown,chat.field.temperature';
/** What needs the clocks of both gateways, events from either, and an upstream that refuses connections. */
const reaching = `${only},auth.key.expiry-second,hook.end.event,faults.t1.refused`;
const slow = 120_000;
/** The time limit for building missing images, ms. */
const built = 1_500_000;

let base = '';

async function awaitImages(path: string): Promise<string> {
  while (!existsSync(path)) await wait(500);
  return readFileSync(path, 'utf8').trim();
}

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-containers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The example with something else in it. */
function changed(name: string, change: (text: string) => string): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, change(readFileSync(example, 'utf8')));
  return path;
}

const judge = (target: string, name: string, more: NodeJS.ProcessEnv = {}, checks = only) =>
  startCli(['run', '--target', target, '--only', checks, '--seed', '1', '--out', join(folder, name)], {
    ...env,
    ...more,
  });

/** Local images that replace registry images in compose.yaml. */
const imagesOf = (prefix: string): Record<string, string> => ({
  BUILD_IMAGE: `${prefix}:build`,
  RUN_IMAGE: `${prefix}:debian`,
  POSTGRES_IMAGE: `${prefix}:postgres`,
  BALANCER_IMAGE: `${prefix}:haproxy`,
});

const leftOf = (name: string): string => docker('ps', '--all', '--quiet', '--filter', `ancestor=${name}`);

describe.skipIf(state === undefined)('with an engine', () => {
  beforeAll(async () => {
    const said = await awaitImages(state ?? '');
    if (said.startsWith('none ')) return;
    expect(said).toMatch(/^ready /);
    base = said.slice('ready '.length);
    buildSmallGatewayImage(image, base);
  }, built);

  // A machine that cannot run containers is no failure; the run's output ends with its reason.
  beforeEach(({ skip }) => skip(base === '', 'this machine runs no containers'));

  it(
    'judges an image by the documented example, plans it, and leaves nothing behind',
    async () => {
      const { code, stderr } = await judge(example, 'well').outcome;
      expect(stderr).toMatch(/Starting my-gateway:latest in containers/);
      expect(code, stderr).toBe(exitCodes.conforming);
      expect(readReport(join(folder, 'well')).checks.map(({ verdict }) => verdict)).toEqual(
        Array(3).fill('pass'),
      );
      expect(existsSync(join(folder, 'well', 'deployment.log'))).toBe(false);
      const plan = await runCli(['plan', '--target', example, '--only', only], env);
      expect(plan.stdout).toMatch(/checks +3\n/);
      const doctor = await runCli(['doctor', '--target', example], env);
      expect(doctor.code, doctor.stderr).toBe(exitCodes.conforming);
      expect(leftOf(image)).toBe('');
    },
    slow,
  );

  it(
    "shows the container's output for a failing check, without secrets",
    async () => {
      const target = changed('defect', (text) =>
        text.replace('LOG_LEVEL: info', 'GATEWAY_DEFECT: temperature up to 2.1'),
      );
      expect((await judge(target, 'defect').outcome).code).toBe(exitCodes.failures);
      const out = join(folder, 'defect');
      const log = readFileSync(join(out, 'deployment.log'), 'utf8');
      expect(log).toMatch(
        /^my-gateway:latest: Up .*\n {2}the key is \$GATEWAY_KEY\n {2}listening on 8080\n$/,
      );
      expect(readReport(out).notices?.join()).toContain('listening on 8080');
      for (const name of ['report.json', 'report.html', 'summary.md', 'junit.xml'])
        expect(readFileSync(join(out, name), 'utf8')).not.toContain(smallGatewayKey);
      expect(leftOf(image)).toBe('');
    },
    slow,
  );

  it(
    'explains in a sentence why a container cannot be judged, with its last lines',
    async () => {
      const dies = changed('dies', (text) => text.replace('LOG_LEVEL: info', 'GATEWAY_DIES: 1'));
      const dead = await judge(dies, 'dies').outcome;
      expect(dead.code).toBe(exitCodes.unreachable);
      expect(dead.stderr).toMatch(
        /a container ended before it could be judged\nmy-gateway:latest: Exited \(7\) .*\n(?: {2}.*\$GATEWAY_KEY.*\n){2}/,
      );
      // The engine does not keep the order of two streams.
      for (const line of ['the key is $GATEWAY_KEY', 'no licence for $GATEWAY_KEY, giving up'])
        expect(dead.stderr).toContain(`  ${line}\n`);
      const deaf = changed('deaf', (text) =>
        text.replace('container:8080', 'container:8081').replace('seconds: 60', 'seconds: 2'),
      );
      const silent = await judge(deaf, 'deaf').outcome;
      expect(silent.code).toBe(exitCodes.unreachable);
      expect(silent.stderr).toMatch(
        /nothing answers \/healthz with success at the port that base_url names within 2 s.*listening on 8080/s,
      );
      const unknown = await judge(
        changed('unknown', (text) => text.replace(image, '127.0.0.1:9/no-such-image:1')),
        'unknown',
      ).outcome;
      expect(unknown.code).toBe(exitCodes.usage);
      expect(unknown.stderr).toMatch(/no-such-image:1 is not on this machine, and cannot be fetched/);
      expect(leftOf(image)).toBe('');
    },
    slow,
  );

  it(
    'judges the compose deployment of this repository, with the keys that it generates',
    async () => {
      const target = fileURLToPath(new URL('../../containers/target.yaml', import.meta.url));
      const { code, stderr } = await judge(target, 'compose', imagesOf(base), reaching).outcome;
      expect(code, stderr).toBe(exitCodes.conforming);
      expect(readReport(join(folder, 'compose')).summary).toMatchObject({ passed: 6, failed: 0 });
      for (const kind of ['container', 'volume', 'network'])
        expect(docker(kind, 'ls', '--quiet', '--filter', 'label=com.docker.compose.project')).toBe('');
    },
    2 * slow,
  );

  it(
    'judges it by two Docker commands, and a stopped gateway container finishes its streams',
    async () => {
      const own = { COMPOSE_PROJECT_NAME: 'gatecheck-two-commands', PORT: '0', ...imagesOf(base) };
      try {
        compose(own, 'up', '--detach', ...(isComposePlugin() ? ['--wait'] : []));
        const command = ['run', '--rm', '-T', 'judge', 'run', '--target', '/deployment/target.yaml'];
        expect(compose(own, ...command, '--only', only)).toContain(
          'Conforming: 3 checks judged, none failed',
        );
        const { streams, laterStatus, exitCode } = await stopUnderStreams(own);
        for (const text of streams) expect(text).toMatch(/"three".*\[DONE\]\n\n$/s);
        expect([streams.length, laterStatus, exitCode]).toEqual([4, 200, 0]);
      } finally {
        compose(own, 'down', '--volumes');
      }
    },
    2 * slow,
  );

  it.each(['gatecheck-gateway', 'gatecheck'])(
    '%s runs as an unprivileged user, without build tools',
    (name) => {
      expect(imageFacts(name)).toMatchObject({ user: '10001:10001', stopSignal: 'SIGTERM', tools: [] });
      expect(imageFacts(name).hasHealthCheck).toBe(name === 'gatecheck-gateway');
      expect(imageFacts(name).megabytes).toBeLessThan(500);
    },
  );

  it(
    'removes the container when it is interrupted, while it waits and while it judges',
    async () => {
      const deaf = changed('waits', (text) => text.replace('container:8080', 'container:8081'));
      const moments = [
        [deaf, () => leftOf(image) !== ''],
        [example, (said: string) => said.includes('Judging')],
      ] as const;
      for (const [target, isTime] of moments) {
        const { child, outcome } = judge(target, 'interrupted');
        let said = '';
        child.stderr?.on('data', (bytes: Buffer) => {
          said += bytes;
        });
        while (!isTime(said) && child.exitCode === null) await wait(20);
        child.kill('SIGINT');
        expect((await outcome).code).toBe(exitCodes.interrupted);
        expect(leftOf(image)).toBe('');
      }
    },
    slow,
  );
});

it.skipIf(existsSync('/var/run/docker.sock'))(
  'calls a target untestable where no engine answers',
  async () => {
    const gone = { DOCKER_HOST: `unix://${join(folder, 'no.sock')}`, HOME: folder, XDG_RUNTIME_DIR: folder };
    const { code, stderr } = await judge(example, 'none', gone).outcome;
    expect(code).toBe(exitCodes.unreachable);
    expect(stderr).toContain('untestable: the profile starts containers, and no container engine');
  },
);
