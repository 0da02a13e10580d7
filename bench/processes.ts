import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The processors: measured programs have the first to themselves, everything else shares the second. */
export type Core = 'measured' | 'other';

/** Linux counts the time of a process in hundredths of a second. */
const tickMs = 10;
const canPin = process.platform === 'linux' && availableParallelism() >= 2;

/** A command prefix that pins a program to one core; empty if the machine cannot. */
export function pinned(core: Core): readonly string[] {
  return canPin ? ['taskset', '-c', core === 'measured' ? '0' : '1'] : [];
}

/** Pins this process to its core. */
export function pinMyself(): void {
  if (canPin) spawn('taskset', ['-a', '-cp', '1', String(process.pid)], { stdio: 'ignore' });
}

const programs = new Map<string, string>();

/** The program of a package of a tree as `npm pack` ships it, unpacked where its dependencies are found. */
export function packagedProgram(tree: string, name: 'gateway' | 'simulators'): string {
  const dir = join(tree, 'bench/dist', name);
  const known = programs.get(dir);
  if (known !== undefined) return known;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const file = execFileSync('npm', ['pack', '--silent', '--pack-destination', dir, `./${name}`], {
    cwd: tree,
    encoding: 'utf8',
    // The build uses the Node version that runs this.
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
  });
  execFileSync('tar', ['-xzf', join(dir, file.trim()), '-C', dir]);
  const program = join(dir, `package/dist/${name}/main.js`);
  programs.set(dir, program);
  return program;
}

/** A program that was started for the measurement. */
export interface Program {
  readonly pid: number;
  /** The output line with its address. */
  readonly line: string;
  stop(): Promise<void>;
}

/** An address alone, or a JSON object that holds it. */
const readyLine = /^(http:\/\/|\{|postgres:\/\/)/;

/** Starts a program on a processor and waits until it prints its address. Its log goes to a file. */
export async function startProgram(
  command: readonly string[],
  { core, log, cwd, env = {} }: { core: Core; log: string; cwd?: string; env?: Record<string, string> },
): Promise<Program> {
  const [file = '', ...args] = [...pinned(core), ...command];
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  const { stdout, pid } = child;
  if (stdout === null || pid === undefined) throw new Error(`${command.join(' ')} cannot be started`);
  const lines = createInterface({ input: stdout });
  const ready = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      if (readyLine.test(line.trim())) resolve(line.trim());
    });
  });
  const line = await Promise.race([ready, once(child, 'exit').then(() => null)]);
  if (line === null) {
    throw new Error(`${command.join(' ')} ended:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
  }
  return { pid, line, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Processor time of a process and all its descendants in ms; NaN if unreadable. */
export function usedMs(pid: number): number {
  try {
    return [pid, ...descendants(pid)].reduce((sum, one) => sum + ownMs(one), 0);
  } catch {
    return Number.NaN;
  }
}

/** Resident memory of a process in bytes; NaN if unreadable. */
export function residentBytes(pid: number): number {
  try {
    const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}

function ownMs(pid: number): number {
  const fields = statOf(pid);
  // Includes the time of ended children.
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * tickMs;
}

function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found.slice(1);
}

function parentOf(pid: number): number {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return 0;
  }
}

/** The fields after the program name, which may contain any character. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
