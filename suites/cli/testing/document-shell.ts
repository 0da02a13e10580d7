import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const launcher = join(root, 'suites/cli/gatecheck.mjs');

/** The parts of a clone that the documents name, besides the commands. */
const shown = ['node_modules', 'gateway', 'fixtures', 'package.json'];

/** The result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * The environment for one document's commands: a folder like a clone, variables that persist between lines, and servers that
 * run until it is closed. Example addresses in the document are replaced by real ones.
 */
export class DocumentShell {
  readonly folder: string;
  readonly #variables: Record<string, string>;
  readonly #meant: [printed: string, real: string][];
  readonly #servers: ChildProcess[] = [];

  constructor(meant: readonly (readonly [string, string])[], variables: Readonly<Record<string, string>>) {
    this.folder = mkdtempSync(join(tmpdir(), 'gatecheck-typed-'));
    this.#variables = { ...variables };
    this.#meant = meant.map(([printed, real]) => [printed, real]);
    for (const name of shown) symlinkSync(join(root, name), join(this.folder, name));
    // `npx gatecheck` without the second that npx itself takes.
    mkdirSync(join(this.folder, 'bin'));
    const shim = `#!/bin/sh\nshift\nexec '${process.execPath}' '${launcher}' "$@"\n`;
    writeFileSync(join(this.folder, 'bin/npx'), shim, { mode: 0o755 });
  }

  /** From now on, replaces a text printed in the document by a real one. */
  means(printed: string, real: string): void {
    this.#meant.unshift([printed, real]);
  }

  /** Runs a command to its end. Lines that only set variables set them for all that follow. */
  async run(command: string): Promise<Ended> {
    const text = this.read(command);
    if (/^(?:export )?(?:\w+=\S+ ?)+$/.test(text)) {
      for (const [, name = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) this.#variables[name] = value;
      return { code: 0, output: '' };
    }
    const child = this.#spawn(`curl() { command curl -sS --fail-with-body "$@"; }\n${text}`);
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => parts.push(bytes));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output: Buffer.concat(parts).toString('utf8') };
  }

  /**
   * Starts a server that keeps running, and waits for its JSON line.
   * @throws Error with its output when it ends without one
   */
  async serve(command: string): Promise<Readonly<Record<string, unknown>>> {
    const child = this.#spawn(this.read(command));
    this.#servers.push(child);
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      said += bytes.toString('utf8');
    });
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    const line = await Promise.race([
      once(lines, 'line').then(([text]) => text as string),
      once(child, 'exit').then(() => null),
    ]);
    if (line === null) throw new Error(`${command} ended: ${said}`);
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  }

  /** Ends the servers, the last one first. */
  async stopServers(): Promise<void> {
    for (const child of this.#servers.splice(0).toReversed()) {
      const ended = child.exitCode !== null || once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }

  async close(): Promise<void> {
    await this.stopServers();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The text with all example values of the documents replaced by real ones. */
  read(command: string): string {
    return this.#meant.reduce((text, [printed, real]) => text.replaceAll(printed, real), command);
  }

  #spawn(script: string): ChildProcess {
    const { PATH = '', ...env } = process.env;
    return spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, ...this.#variables, CI: 'true', PATH: [join(this.folder, 'bin'), PATH].join(delimiter) },
    });
  }
}
