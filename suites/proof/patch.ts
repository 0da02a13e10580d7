/** One place of one source file, and what stands there instead. */
export interface Patch {
  /** From the root of the repository. */
  readonly file: string;
  /** Must be in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** The environment variable that carries a patch, as JSON, into the process that is to run with it. */
export const patchVariable = 'GATECHECK_PATCH';

const root = new URL('../../', import.meta.url);

/** Flags and environment for a Node process that is to run with the patch. */
export function patchFlags(patch: Patch): { nodeArgs: string[]; env: NodeJS.ProcessEnv } {
  const { file, find, replace } = patch;
  return {
    nodeArgs: ['--import', new URL('./patch-hook.ts', import.meta.url).href],
    env: { ...process.env, [patchVariable]: JSON.stringify({ file, find, replace }) },
  };
}

export function fileURLOf(patch: Patch): string {
  return new URL(patch.file, root).href;
}

/**
 * The source with the patch in it.
 * @throws Error when the place is there never or more than once, or when the patch changes nothing.
 */
export function patched(patch: Patch, source: string): string {
  const times = source.split(patch.find).length - 1;
  if (patch.find === '' || times !== 1)
    throw new Error(`the text to replace is ${times} times in ${patch.file}, and must be there once`);
  if (patch.find === patch.replace) throw new Error(`the patch of ${patch.file} changes nothing`);
  return source.replace(patch.find, () => patch.replace);
}
