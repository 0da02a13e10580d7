import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

/** Checks that Kubernetes accepts the manifests, and that they match the image and each other. */

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Record<string, unknown>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const folder = 'operations/kubernetes';
const models = { Deployment, Job, PodDisruptionBudget, PersistentVolumeClaim, Service };
type Kind = keyof typeof models;

const manifests = ['gateway.yaml', 'judge.yaml'].flatMap((file) =>
  parseAllDocuments(textOf(`${folder}/${file}`)).map((document) => document.toJS() as Manifest),
);
const named = (kind: Kind): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind);
  if (found === undefined) throw new Error(`no manifest of kind ${kind}`);
  return found;
};

/** Returns the compiler's errors about unknown members. */
async function unknownMembers(given: readonly Manifest[]): Promise<string> {
  const cache = join(root, 'node_modules/.cache/gatecheck');
  mkdirSync(cache, { recursive: true });
  const place = mkdtempSync(join(cache, 'kubernetes-'));
  const lines = given.map(({ apiVersion, kind, ...rest }, at) => {
    const literal = JSON.stringify({ apiVersion, kind, ...rest });
    return `import type { I${kind} as T${at} } from 'kubernetes-models/${apiVersion}/${kind}';\nexport const m${at}: T${at} = ${literal};`;
  });
  writeFileSync(join(place, 'manifests.ts'), lines.join('\n'));
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    '',
  ];
  try {
    const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options, join(place, 'manifests.ts')];
    await promisify(execFile)(process.execPath, args, { cwd: place });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    rmSync(place, { recursive: true });
  }
}

describe('the manifests for Kubernetes', () => {
  it.each(manifests.map((manifest) => [manifest.kind as Kind, manifest]))(
    '%s has values of its schema',
    (kind, manifest) => {
      expect(() => new models[kind](manifest as never).validate()).not.toThrow();
    },
  );

  it('have no member that Kubernetes does not know', async () => {
    expect(await unknownMembers(manifests)).toBe('');
    const misspelt = { ...named('Service'), spec: { ...named('Service').spec, selektor: {} } };
    expect(await unknownMembers([misspelt])).toMatch(/selektor\W+ does not exist/);
  });

  it('are validated: a value that Kubernetes rejects is found', () => {
    const deployment = named('Deployment');
    const wrong = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } };
    expect(() => new Deployment(wrong as never).validate()).toThrow(/replicas/);
  });

  it('are exactly those that the kustomization lists, except the job', () => {
    expect(parse(textOf(`${folder}/kustomization.yaml`))).toMatchObject({
      kind: 'Kustomization',
      resources: ['gateway.yaml'],
    });
  });

  it('match the image in user, port, arguments and volumes', () => {
    const image = textOf('containers/Dockerfile');
    const { spec } = named('Deployment') as unknown as { spec: { template: { spec: PodSpec } } };
    const { securityContext, containers, volumes, terminationGracePeriodSeconds } = spec.template.spec;
    const [gateway] = containers;
    expect(image).toContain(
      `USER ${securityContext.runAsUser}:${securityContext.runAsGroup}\nWORKDIR /var/lib/gatecheck`,
    );
    expect(image).toContain(`EXPOSE ${gateway?.ports[0]?.containerPort}\n`);
    expect(image).toContain(`CMD [${gateway?.args.map((arg) => JSON.stringify(arg)).join(', ')}]`);
    expect(gateway?.volumeMounts.map(({ name }) => name).toSorted()).toEqual(
      volumes.map(({ name }) => name).toSorted(),
    );
    expect(terminationGracePeriodSeconds).toBeGreaterThan(30);
    const pods = named('Service').spec.selector;
    expect(named('PodDisruptionBudget').spec.selector).toEqual({ matchLabels: pods });
    expect((spec as unknown as { selector: unknown }).selector).toEqual({ matchLabels: pods });
  });
});

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly ports: readonly { readonly containerPort: number }[];
    readonly volumeMounts: readonly { readonly name: string }[];
  }[];
  readonly volumes: readonly { readonly name: string }[];
}
