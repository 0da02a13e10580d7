import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Script } from '../control/protocol.ts';
import { readText, TooLarge } from '../http/read-text.ts';
import {
  CaptureError,
  captureFormat,
  maxCaptureBytes,
  parseCapture,
  readCapture,
} from '../recordings/capture-file.ts';
import { scriptFileSchema } from '../schemas/script-schema.ts';
import type { FileScripts } from '../state/scripts.ts';
import { BadFile } from './bad-file.ts';
import { scriptsOfCapture } from './capture-scripts.ts';
import { readYaml } from './read-yaml.ts';

/** Scripts from files that are reloaded when they change. */
interface WatchedScripts extends FileScripts {
  close(): void;
}

/**
 * Reads scripts from YAML or JSON files and folders, and reloads them when they change. If a change makes a file invalid, the
 * old scripts stay. `onProblem` gets each error once, and a message when the files are valid again.
 * @throws BadFile with file, line and column of every mistake at the start.
 */
export function watchScripts(paths: readonly string[], onProblem: (error: unknown) => void): WatchedScripts {
  const read = (): Script[] => paths.flatMap(filesAt).flatMap(readScripts);
  let scripts: readonly Script[] = read();
  let [isDue, problem] = [false, ''];
  // Other files of the folder change too, such as a log of this process. Equal scripts keep the turns that they have taken.
  const reload = (): void => {
    const found = read();
    if (problem !== '') onProblem(new BadFile('the files of scripts can be read again'));
    problem = '';
    if (!isDeepStrictEqual(found, scripts)) scripts = found;
  };
  const again = (): void => {
    if (isDue) return;
    isDue = true;
    // Several changes at the same time cause a single reload.
    setImmediate(() => {
      isDue = false;
      try {
        reload();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== problem) onProblem(new BadFile(`${message}\nThe scripts from before stay in use.`));
        problem = message;
      }
    });
  };
  const watchers = [...new Set(paths.map(folderOf))].map((folder): FSWatcher => {
    const watcher = watch(folder, { persistent: false }, again);
    return watcher.on('error', onProblem);
  });
  return {
    get scripts() {
      return scripts;
    },
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Reads the scripts of one file, and those of its captures. @throws BadFile */
function readScripts(path: string): Script[] {
  const text = textOf(path);
  if (text.slice(0, 200).includes(`"${captureFormat}"`))
    return scriptsOfCapture(
      unlessBad(() => parseCapture(text, path)),
      1,
    );
  const { scripts = [], captures = [] } = readYaml(text, path, scriptFileSchema);
  const recorded = captures.flatMap(({ file, speed = 1 }) =>
    scriptsOfCapture(
      unlessBad(() => readCapture(resolve(dirname(path), file))),
      speed,
    ),
  );
  const named = scripts.map((script, at) => ({ name: `script ${at + 1} of ${basename(path)}`, ...script }));
  return [...named, ...recorded];
}

function textOf(path: string): string {
  try {
    return readText(path, maxCaptureBytes);
  } catch (error) {
    if (error instanceof TooLarge) throw new BadFile(error.message);
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new BadFile(`${path}: it cannot be read (${code})`);
  }
}

function unlessBad<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CaptureError ? new BadFile(error.message) : error;
  }
}

/** Watches the folder, because editors replace a file by a new one. */
function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}

function filesAt(path: string): string[] {
  if (!existsSync(path)) throw new BadFile(`${path}: there is no such file or folder`);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(path, name));
}
