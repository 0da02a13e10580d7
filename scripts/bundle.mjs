// Puts programs, with most packages that they load, into a few files: a thousand small ones take longer to load than most
// checks take.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Writes each entry to `dist` at its own place, and what several share to `dist/chunks`, with the licences of what it contains.
 * @param {{ root: string, dist: string, entries: string[], external: string[] }} options
 */
export async function bundle({ root, dist, entries, external }) {
  // The proof changes the sources of the gateway: it stays in the clone.
  const outside = (id) =>
    [...external, 'gatecheck-proof'].some((name) => id === name || id.startsWith(`${name}/`));
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(root, `${entry}.ts`)])),
    cwd: root,
    platform: 'node',
    external: outside,
    transform: { target: 'node22' },
    plugins: [areaModules(root), faultModules(root), leanHttp(), ownUrls(root)],
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await build.close();
  for (const { fileName, code } of output) {
    mkdirSync(dirname(join(dist, fileName)), { recursive: true });
    writeFileSync(join(dist, fileName), code);
  }
  const text = licences(output.flatMap(({ moduleIds }) => moduleIds));
  if (text !== '') writeFileSync(join(dist, 'LICENSES.txt'), text);
}

/** The checks of an area are found by its folder, which a bundle does not have: it gets a module for each area in place of it. */
function areaModules(root) {
  const folder = join(root, 'suites/checks');
  const mark = 'area-of-checks:';
  return {
    name: 'area-modules',
    resolveId: (id) => (id.startsWith(mark) ? id : null),
    load(id) {
      if (id === join(folder, 'area-modules.ts')) {
        const areas = globSync('*/', { cwd: folder }).map((area) => area.replace(/[\\/]$/, ''));
        const rows = areas.map((area) => `${area}: () => import('${mark}${area}')`);
        return `const areas = {${rows}};\nexport const modulesOf = async (area) => Object.values(await areas[area]());`;
      }
      if (!id.startsWith(mark)) return null;
      return globSync(`${id.slice(mark.length)}/**/*.ts`, { cwd: folder })
        .filter((file) => !file.endsWith('.test.ts'))
        .map((file, at) => `export * as m${at} from ${JSON.stringify(join(folder, file))};`)
        .join('\n');
    },
  };
}

/** Likewise the files of faults. A package of its own takes no `await` outside a function, which CommonJS could not load. */
function faultModules(root) {
  const folder = join(root, 'simulators/faults');
  return {
    name: 'fault-modules',
    load(id) {
      if (id !== join(folder, 'fault-modules.ts')) return null;
      const files = globSync('*/[a-z][0-9]*-*.ts', { cwd: folder }).filter(
        (file) => !file.endsWith('.test.ts'),
      );
      const imports = files.map(
        (file, at) => `import * as m${at} from ${JSON.stringify(join(folder, file))};`,
      );
      return `${imports.join('\n')}\nexport const faultModules = [${files.map((_, at) => `m${at}`)}];`;
    },
  };
}

/** An import of `node:http` loads its client of web sockets too, which takes 16 MB of memory. */
function leanHttp() {
  const mark = 'lean-http:';
  return {
    name: 'lean-http',
    resolveId: (id, _, { kind }) =>
      id === mark || (/^(?:node:)?http$/.test(id) && kind === 'import-statement') ? mark : null,
    load(id) {
      if (id !== mark) return null;
      const names = Object.keys(http).filter((name) => !/^(?:WebSocket|CloseEvent|MessageEvent)$/.test(name));
      return `const http = process.getBuiltinModule('node:http');\nexport default http;\nexport const { ${names.join(', ')} } = http;`;
    },
  };
}

/** A module finds files by its own address: in a bundle it is still given the one that it had. */
function ownUrls(root) {
  const mark = (id) => `__own_url(${JSON.stringify(relative(root, id).split(sep).join('/'))})`;
  return {
    name: 'own-urls',
    transform(code, id) {
      if (isOfPackage(id) || !code.includes('import.meta.url')) return null;
      const pointed = code.replaceAll(/(new URL\('[^'\n]*)\.ts(',\s*import\.meta\.url\))/g, '$1.js$2');
      return { code: pointed.replaceAll('import.meta.url', mark(id)), map: null };
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
