import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the console's page: modules that browsers load without a build. */
const folder = fileURLToPath(new URL('../../page/', import.meta.url));

/** The files of the page. No other file of the folder is served. */
const ownFiles = [
  'index.html',
  'style.css',
  'list.css',
  'panels.css',
  'narrow.css',
  'icon.svg',
  'main.js',
  'api.js',
  'set-fault.js',
  'axis.js',
  'bytes.js',
  'clock.js',
  'copies.js',
  'decode.js',
  'detail.js',
  'events.js',
  'frames.js',
  'jobs.js',
  'list.js',
  'panels.js',
  'payload.js',
  'scenario.js',
  'store.js',
  'tool-calls.js',
  'words.js',
] as const;

const libraryFiles = ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/live.js'] as const;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageFile {
  readonly type: string;
  readonly body: string;
}

/** The files of the page by their path below `/console/`, and their content security policy. */
export function loadPage(): { files: ReadonlyMap<string, PageFile>; policy: string } {
  const library = libraryFolder();
  const files = new Map([
    ...ownFiles.map((name) => [name, fileAt(join(folder, name))] as const),
    ...libraryFiles.map((name) => [`lib/${name}`, fileAt(join(library, name))] as const),
  ]);
  return { files, policy: policyOf(files.get('index.html')?.body ?? '') };
}

/** The resolved path may point to the server or development build, which lies below the browser build. */
function libraryFolder(): string {
  const resolved = createRequire(import.meta.url).resolve('lit-html');
  return /^.*[\\/]lit-html(?=[\\/])/.exec(resolved)?.[0] ?? dirname(resolved);
}

function fileAt(path: string): PageFile {
  return { type: types[extname(path)] ?? 'application/octet-stream', body: readFileSync(path, 'utf8') };
}

/** Nothing from other origins, nothing inline except the import map, and no text becomes markup outside the library. */
function policyOf(page: string): string {
  const map = /<script type="importmap">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(map).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
}
