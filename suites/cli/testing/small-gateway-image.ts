import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The gateway of one page in an image, as its owner might have made it. */

const program = `
import { createSmallGateway } from './small-gateway.ts';
const { GATEWAY_KEY, GATEWAY_DEFECT, GATEWAY_DIES } = process.env;
console.log('the key is ' + GATEWAY_KEY);
if (GATEWAY_DIES) {
  console.error('no licence for ' + GATEWAY_KEY + ', giving up');
  process.exit(7);
}
const server = createSmallGateway(GATEWAY_DEFECT ? [GATEWAY_DEFECT] : []);
const [own] = server.listeners('request');
server.removeAllListeners('request');
server.on('request', (request, response) => {
  if (request.url === '/healthz') response.end('well');
  else own(request, response);
});
server.listen(8080, () => console.log('listening on 8080'));
process.on('SIGTERM', () => process.exit(0));
`;

const dockerfile = (base: string): string => `
FROM ${base}:build
COPY small-gateway.ts main.ts /opt/
EXPOSE 8080
ENTRYPOINT ["node", "/opt/main.ts"]
`;

/** Builds it under `name`, from the base images of `.ci/containers`. */
export function buildSmallGatewayImage(name: string, base: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-image-'));
  try {
    cpSync(fileURLToPath(new URL('small-gateway.ts', import.meta.url)), join(folder, 'small-gateway.ts'));
    writeFileSync(join(folder, 'main.ts'), program);
    writeFileSync(join(folder, 'Dockerfile'), dockerfile(base));
    docker('build', '--quiet', '--tag', name, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The output of the Docker client. */
export const docker = (...args: string[]): string => printed('docker', args, {});

/** Whether Compose is a plugin of the client, as it is today, or a separate program. */
export function isComposePlugin(): boolean {
  return spawnSync('docker', ['compose', 'version']).status === 0;
}

/** The output of Compose in the root of this repository. */
export function compose(env: NodeJS.ProcessEnv, ...args: string[]): string {
  return isComposePlugin()
    ? printed('docker', ['compose', ...args], env)
    : printed('docker-compose', args, env);
}

function printed(command: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  const cwd = fileURLToPath(new URL('../../../', import.meta.url));
  const options = { encoding: 'utf8', cwd, env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}
