// Builds `dist/`, what `npm pack` ships: the tree as JavaScript, with the files that it reads beside it. Node runs
// TypeScript only outside of node_modules, so an installed package needs this.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundlePrograms } from './bundle-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** Files that the code reads while it runs, by their place in the tree. */
const assets = [
  'fixtures',
  'suites/checks/check-ids.txt',
  'suites/proof/known-kills.json',
  'suites/examine/notes.yaml',
  'suites/plan/check-costs.json',
];

const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
rmSync(dist, { recursive: true, force: true });
// After a package has been made, `dist` would only grow old.
if (process.argv.includes('--clean')) process.exit(0);
compile('tsconfig.package.json');
for (const file of globSync('**/*.js', { cwd: dist })) pointToJavaScript(join(dist, file));
compile('scripts/tsconfig.declarations.json');
for (const file of globSync('**/*.d.ts', { cwd: dist })) nameJavaScript(join(dist, file));
for (const asset of assets) cpSync(join(root, asset), join(dist, asset), { recursive: true });
for (const file of globSync('simulators/page/*.{html,css,svg,js}', { cwd: root }))
  cpSync(join(root, file), join(dist, file));
writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
listChecks();
keepCluster();
await bundlePrograms(dist);

function compile(project) {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  run(process.execPath, [compiler, '-p', join(root, project)]);
}

/** The cluster with every table from which stacks start, so that the first one needs not make it. */
function keepCluster() {
  const store = join(dist, 'gateway', 'store');
  const module = pathToFileURL(join(store, 'kept-cluster.js')).href;
  const script = [
    `import { mkdirSync, writeFileSync } from 'node:fs';`,
    `const { clusterName, makePacked } = await import(${JSON.stringify(module)});`,
    `mkdirSync(${JSON.stringify(join(store, 'kept'))});`,
    `writeFileSync(${JSON.stringify(join(store, 'kept'))} + '/' + clusterName(), await makePacked());`,
  ].join('\n');
  run(process.execPath, ['--input-type=module', '--eval', script]);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** In declarations the compiler leaves the endings of sources. */
function nameJavaScript(file) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
}

/** What commands have to know of all checks, so that they need not load them. */
function listChecks() {
  const module = join(dist, 'suites', 'runner', 'known-checks.js');
  const script = [
    `import { writeFileSync } from 'node:fs';`,
    `const { loadKnownChecks } = await import(${JSON.stringify(pathToFileURL(module).href)});`,
    `writeFileSync(${JSON.stringify(`${module}on`)}, JSON.stringify(await loadKnownChecks()));`,
  ].join('\n');
  run(process.execPath, ['--input-type=module', '--eval', script]);
}

/** The compiler rewrites the paths of imports; those of files that are started or loaded later are URLs. */
function pointToJavaScript(file) {
  const text = readFileSync(file, 'utf8');
  const pointed = text.replaceAll(/(new URL\('[^'\n]*)\.ts(', import\.meta\.url\))/g, '$1.js$2');
  if (pointed !== text) writeFileSync(file, pointed);
}
