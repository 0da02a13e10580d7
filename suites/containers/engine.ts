import { UnreachableError, UsageError } from '../process/exit-codes.ts';

type Testcontainers = typeof import('testcontainers');

/** A container engine that answers, and the library that starts containers on it. */
export interface Engine {
  readonly library: Testcontainers;
  readonly client: Awaited<ReturnType<Testcontainers['getContainerRuntimeClient']>>;
}

/** The version that `package.json` names as an optional peer. */
const wanted = 'testcontainers@12.2.0';

/**
 * Loads the library, and connects to the engine.
 * @throws UsageError without the library; UnreachableError without an engine
 */
export async function openEngine(): Promise<Engine> {
  const library = await loadLibrary();
  try {
    return { library, client: await library.getContainerRuntimeClient() };
  } catch {
    const { DOCKER_HOST: named } = process.env;
    throw new UnreachableError(
      `untestable: the profile starts containers, and no container engine (Docker, Podman) answers ${
        named === undefined ? 'on this machine; start one, or set DOCKER_HOST' : `at DOCKER_HOST=${named}`
      }`,
    );
  }
}

async function loadLibrary(): Promise<Testcontainers> {
  try {
    return await import('testcontainers');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      `the profile starts containers, which needs a package that is not installed: npm install ${wanted}`,
    );
  }
}
