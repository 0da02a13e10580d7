import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { fileURLOf, type Patch, patched, patchVariable } from './patch.ts';

/**
 * Preloaded into a process by `node --import`: changes one place of a source file, or of several, while it is loaded.
 * It ends the process with the reason on stderr if the text does not occur exactly once. It also does so if the
 * process becomes ready (first output on stdout) before it has loaded each of the files.
 */
const patches = JSON.parse(process.env[patchVariable] ?? '[]') as readonly Patch[];
if (patches.length === 0) refuse(`${patchVariable} is not set`);
const byUrl = new Map(patches.map((patch) => [fileURLOf(patch), patch]));
if (byUrl.size < patches.length) refuse('two patches are for the same file');
const notLoaded = new Set(byUrl.keys());

try {
  for (const [url, patch] of byUrl) patched(patch, readFileSync(fileURLToPath(url), 'utf8'));
} catch (error) {
  refuse((error as Error).message);
}

registerHooks({
  load: (target, context, next) => {
    const loaded = next(target, context);
    const patch = byUrl.get(target);
    if (patch === undefined) return loaded;
    notLoaded.delete(target);
    const source =
      typeof loaded.source === 'string'
        ? loaded.source
        : new TextDecoder().decode(loaded.source ?? undefined);
    return { ...loaded, source: patched(patch, source) };
  },
});

// Worker threads preload this too. The main thread waits until they have loaded their files, so only the main thread has to
// check.
if (isMainThread) {
  const write = process.stdout.write;
  process.stdout.write = ((...args: Parameters<typeof write>) => {
    process.stdout.write = write;
    const files = [...notLoaded].map((url) => byUrl.get(url)?.file ?? url);
    if (files.length > 0)
      refuse(`${files.join(', ')} was not loaded before the process was ready, so nothing was changed`);
    return write.apply(process.stdout, args);
  }) as typeof write;
}

function refuse(reason: string): never {
  process.stderr.write(`patch: ${reason}\n`);
  process.exit(70);
}
