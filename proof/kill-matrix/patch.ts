/** One place of one source file, with its replacement. */
export interface Patch {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Must occur in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** The environment variable that carries patches as JSON into the patched process. */
export const patchVariable = 'GATECHECK_PATCH';

const root = new URL('../../', import.meta.url);

/** Flags and environment of a Node process that runs with the patches; at most one per file. */
export function patchFlags(...patches: readonly Patch[]): { nodeArgs: string[]; env: NodeJS.ProcessEnv } {
  const plain = patches.map(({ file, find, replace }): Patch => ({ file, find, replace }));
  return {
    nodeArgs: ['--import', new URL('./patch-hook.ts', import.meta.url).href],
    env: { ...process.env, [patchVariable]: JSON.stringify(plain) },
  };
}

export function fileURLOf(patch: Patch): string {
  return new URL(patch.file, root).href;
}

/**
 * Applies the patch to the source.
 * @throws Error when the text does not occur exactly once, or when the patch changes nothing.
 */
export function patched(patch: Patch, source: string): string {
  const times = timesIn(source, patch.find);
  if (patch.find === '' || times !== 1)
    throw new Error(`the text to replace is ${times} times in ${patch.file}, and must be there once`);
  if (patch.find === patch.replace) throw new Error(`the patch of ${patch.file} changes nothing`);
  return source.replace(patch.find, () => patch.replace);
}

/** How often a text contains a part, without overlaps. */
export function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}
