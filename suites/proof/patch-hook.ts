import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { fileURLOf, type Patch, patched, patchVariable } from './patch.ts';

/**
 * Preloaded into a process by `node --import`: changes one place of one source file while it is loaded.
 * It ends the process with the reason on stderr if the text does not occur exactly once. It also does so if the
 * process becomes ready (first output on stdout) before it has loaded the file.
 */
const patch = JSON.parse(process.env[patchVariable] ?? 'null') as Patch | null;
if (patch === null) refuse(`${patchVariable} is not set`);
const url = fileURLOf(patch);
let applied = false;

try {
  patched(patch, readFileSync(fileURLToPath(url), 'utf8'));
} catch (error) {
  refuse((error as Error).message);
}

registerHooks({
  load: (target, context, next) => {
    const loaded = next(target, context);
    if (target !== url) return loaded;
    applied = true;
    const source =
      typeof loaded.source === 'string'
        ? loaded.source
        : new TextDecoder().decode(loaded.source ?? undefined);
    return { ...loaded, source: patched(patch, source) };
  },
});

// Worker threads preload this too. The main thread waits for what they load, so only it has to check.
if (isMainThread) {
  const write = process.stdout.write;
  process.stdout.write = ((...args: Parameters<typeof write>) => {
    process.stdout.write = write;
    if (!applied) refuse(`${patch.file} was not loaded before the process was ready, so nothing was changed`);
    return write.apply(process.stdout, args);
  }) as typeof write;
}

function refuse(reason: string): never {
  process.stderr.write(`patch: ${reason}\n`);
  process.exit(70);
}
