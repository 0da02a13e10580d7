// Builds `<package>/dist`, what `npm pack` ships, from the sources: Node runs TypeScript only outside of node_modules. It also
// points package.json at the built files, until `--restore` takes that back.
//
//   node scripts/pack.mjs simulators            (npm calls this as `prepack`)
//   node scripts/pack.mjs --restore simulators  (and this as `postpack`)
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { packages } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isRestoring = process.argv.includes('--restore');
const [name = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const shipped = packages[name];
if (shipped === undefined) throw new Error(`name a package: ${Object.keys(packages).join(', ')}`);
const folder = join(root, name);
const dist = join(folder, 'dist');
const manifest = join(folder, 'package.json');
const kept = join(folder, '.package.json.kept');

/** The page of the package: its users need what stands before this line. */
const page = join(folder, 'README.md');
const keptPage = join(folder, '.README.md.kept');
const forContributors = '<!-- for contributors -->';

rmSync(dist, { recursive: true, force: true });
// A packing that was cut off has left it behind.
if (existsSync(kept)) renameSync(kept, manifest);
if (existsSync(keptPage)) renameSync(keptPage, page);

/** What only a running program can write. */
const prepared = {
  /** What commands have to know of all checks, so that they need not load them. */
  suites: () => {
    const [known, schema] = ['suites/runner/known-checks', 'suites/profile/profile-schema'];
    run(`${known}.ts`, 'loadKnownChecks', `${known}.json`, 'JSON.stringify');
    run('suites/profile/json-schema.ts', 'profileJsonSchema', `${schema}.json`, 'JSON.stringify');
  },
  /** The cluster with every table from which embedded databases start. */
  gateway: () => run('gateway/store/kept-cluster.ts', 'makePacked', 'gateway/store/kept/cluster', ''),
};

if (!isRestoring) await build();

async function build() {
  const entries = shipped.entries.flatMap((pattern) => sourcesOf(pattern));
  await bundle({ root, dist, entries, external: shipped.external });
  declare(shipped.types.flatMap((pattern) => sourcesOf(pattern)));
  for (const pattern of shipped.assets)
    for (const asset of globSync(pattern, { cwd: root }))
      cpSync(join(root, asset), join(dist, asset), { recursive: true });
  for (const file of globSync('**/*.md', { cwd: dist })) {
    const path = join(dist, file);
    writeFileSync(path, withLiveLinks(readFileSync(path, 'utf8'), path));
  }
  const own = JSON.parse(readFileSync(manifest, 'utf8'));
  mkdirSync(join(dist, name), { recursive: true });
  writeFileSync(
    join(dist, name, 'package.json'),
    `${JSON.stringify({ name: own.name, version: own.version, type: own.type }, null, 2)}\n`,
  );
  await (prepared[name] ?? (() => undefined))();
  renameSync(manifest, kept);
  const [forUsers = ''] = readFileSync(page, 'utf8').split(forContributors);
  const inPackage = forUsers.replaceAll('](../docs/', '](dist/docs/');
  renameSync(page, keptPage);
  writeFileSync(
    page,
    withLiveLinks(inPackage, page, (file) => file.startsWith(dist) && existsSync(file)),
  );
  writeFileSync(manifest, `${JSON.stringify(published(own), null, 2)}\n`);
}

/**
 * A page with its links to files that are not beside it as plain text: a package has a part of the repository only.
 * @param {string} text the page, as Markdown
 * @param {string} path where it is
 * @param {(file: string) => boolean} isThere
 */
function withLiveLinks(text, path, isThere = existsSync) {
  return text.replaceAll(
    /(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
    (link, label, target) => (isThere(join(dirname(path), target)) ? link : label),
  );
}

/** Writes what an exported function of a source returns into a file of `dist`. */
function run(source, exported, to, as) {
  const file = join(dist, to);
  mkdirSync(dirname(file), { recursive: true });
  const script = [
    `import { writeFileSync } from 'node:fs';`,
    `const module = await import(${JSON.stringify(pathToFileURL(join(root, source)).href)});`,
    `writeFileSync(${JSON.stringify(file)}, ${as}(await module.${exported}()));`,
  ].join('\n');
  start(['--input-type=module', '--eval', script]);
}

function start(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root });
  if (status !== 0) process.exit(status ?? 1);
}

/** Without ending. */
function sourcesOf(pattern) {
  return globSync(`${pattern}.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => file.replaceAll(sep, '/').slice(0, -'.ts'.length));
}

/** Declarations of what the package exports, with all that they name. */
function declare(modules) {
  if (modules.length === 0) return;
  const project = join(folder, '.tsconfig.pack.json');
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: dist,
    rootDir: root,
    // What the compiler finds below node_modules, it may take for packages of others and not declare.
    paths: {
      'gatecheck-simulators/client': [join(root, 'simulators/control/client.ts')],
      'gatecheck-reports/*': [join(root, 'reports/*.ts')],
    },
  };
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: options,
      files: modules.map((module) => join(root, `${module}.ts`)),
      include: [],
    }),
  );
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  start([compiler, '-p', project]);
  rmSync(project);
  for (const file of globSync('**/*.d.ts', { cwd: dist })) nameBuilt(file);
}

/** The compiler leaves the endings of sources, and the names of packages whose declarations lie beside. */
function nameBuilt(file) {
  const path = join(dist, file);
  const up = '../'.repeat(file.split(sep).length - 1) || './';
  const text = readFileSync(path, 'utf8')
    .replaceAll(/(['"])gatecheck-reports\/([^'"]+)\1/g, `$1${up}reports/$2.js$1`)
    .replaceAll(/(['"])gatecheck-simulators\/client\1/g, `$1${up}simulators/control/client.js$1`)
    .replaceAll(/((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
  writeFileSync(path, text);
}

/** The manifest of the built package: exports lead into `dist`, and what is bundled is no dependency. */
function published({ exports, dependencies = {}, devDependencies: _, scripts: __, ...rest }) {
  const built = (source) => `./${relative(folder, join(dist, name, source.replace(/\.ts$/, '.js')))}`;
  const declared = (source) => `./${relative(folder, join(dist, name, source.replace(/\.ts$/, '.d.ts')))}`;
  const hasTypes = (source) =>
    source.includes('*') || existsSync(join(dist, name, source.replace(/\.ts$/, '.d.ts')));
  const led = Object.entries(exports).map(([path, source]) => {
    if (!source.endsWith('.ts')) return [path, source];
    const types = hasTypes(source) ? { types: declared(source) } : {};
    return [path, { ...types, default: built(source) }];
  });
  const needed = Object.entries(dependencies).filter(([one]) =>
    [...shipped.external, ...(shipped.named ?? [])].includes(one),
  );
  return { ...rest, exports: Object.fromEntries(led), dependencies: Object.fromEntries(needed) };
}
