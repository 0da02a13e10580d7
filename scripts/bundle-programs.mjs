// Puts the programs of `dist/`, with most packages that they load, into a few files: a thousand small ones take longer to load
// than most checks take.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/** What is started or imported by its path. Built together, they share their modules. */
const entries = [
  'gateway/backup',
  'gateway/main',
  'gateway/store/new-cluster-worker',
  'gateway/store/pglite-worker',
  'simulators/capture/main',
  'simulators/control/client',
  'simulators/listeners/blackhole-listener',
  'simulators/main',
  'simulators/receiver-kit',
  'suites/cli/main',
  'suites/fuzz/cost/probe-worker',
  'suites/public-api',
  'suites/receiver/main',
  'suites/runner/jobs.conf',
];

/** Whose texts name the state of a cluster, and what browsers load. */
const read = ['gateway/store/{migrations/*,migrations,make-cluster,cluster-file}.js', 'simulators/page/*.js'];

/** Packages of many files. Others stay outside: they look for files of their own, or are shared with checks of the user's. */
const bundled = [
  // What the bundler itself adds.
  '@oxc-project/runtime',
  ...[
    '@hono',
    'hono',
    '@opentelemetry',
    'bintrees',
    'prom-client',
    'tdigest',
    'kysely',
    'undici',
    'yaml',
    'zod',
  ],
  ...['@peculiar', 'asn1js', 'pvtsutils', 'pvutils', 'reflect-metadata', 'tslib', 'tsyringe'],
  ...['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'commander'],
];

/** Rewrites the programs of `dist`, with the licences of what they contain beside them. */
export async function bundlePrograms(dist) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(dist, `${entry}.js`)])),
    cwd: dist,
    platform: 'node',
    external: (id) => isPackage(id) && !bundled.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [ownUrls(dist)],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  const kept = new Set(globSync(read, { cwd: dist }));
  for (const file of globSync('**/*.js', { cwd: dist })) if (!kept.has(file)) rmSync(join(dist, file));
  for (const { fileName, code } of output) {
    mkdirSync(dirname(join(dist, fileName)), { recursive: true });
    writeFileSync(join(dist, fileName), code);
  }
  writeFileSync(join(dist, 'chunks', 'LICENSES.txt'), licences(output.flatMap(({ moduleIds }) => moduleIds)));
}

function isPackage(id) {
  return !/^(?:\.|\/|node:|[a-z]:[\\/])/i.test(id);
}

/** A module finds files by its own address: in a bundle it is still given the one that it had. */
function ownUrls(dist) {
  const mark = (id) => `__own_url(${JSON.stringify(relative(dist, id).split(sep).join('/'))})`;
  return {
    name: 'own-urls',
    transform(code, id) {
      if (isOfPackage(id) || !code.includes('import.meta.url')) return null;
      return { code: code.replaceAll('import.meta.url', mark(id)), map: null };
    },
    renderChunk(code, { fileName }) {
      const upwards = '../'.repeat(fileName.split('/').length - 1) || './';
      return code.replaceAll(
        /__own_url\((["'`])([^"'`]+)\1\)/g,
        (_, __, path) => `new URL(${JSON.stringify(upwards + path)},import.meta.url).href`,
      );
    },
  };
}

function isOfPackage(id) {
  return id.includes(`${sep}node_modules${sep}`);
}

/** The packages that a bundle contains, with their licences, which want to go with it. */
function licences(moduleIds) {
  const folders = new Set(
    moduleIds
      .filter(isOfPackage)
      .flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []),
  );
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder }).toSorted();
      const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join('\n---\n\n');
}
