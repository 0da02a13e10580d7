import { Readable } from 'node:stream';
import type { MediaFiles, OpenedFile } from './media-files.ts';

/** The steps of the file store that can fail. */
export const fileSteps = ['store', 'open', 'read', 'remove'] as const;
export type FileStep = (typeof fileSteps)[number];

/**
 * The same files, with a callback for each step that the file store fails. A broken upstream stream and a missing file do not
 * count as such failures.
 */
export function countedFiles(files: MediaFiles, onFailure: (step: FileStep) => void): MediaFiles {
  const counted = async <Result>(
    step: FileStep,
    act: () => Promise<Result>,
    isOfPlace: (error: unknown) => boolean = () => true,
  ): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      if (isOfPlace(error)) onFailure(step);
      throw error;
    }
  };
  const countedReads = (file: OpenedFile): OpenedFile => ({
    ...file,
    read: (at, length) => counted('read', () => file.read(at, length)),
  });
  return {
    keep: (extension, content) =>
      counted(
        'store',
        () => files.keep(extension, content),
        (error) => !isBroken(content, error),
      ),
    open: async (name) => {
      const file = await counted('open', () => files.open(name));
      return file === null ? null : countedReads(file);
    },
    remove: (name) => counted('remove', () => files.remove(name)),
    removeOlderThan: (ms) => counted('remove', () => files.removeOlderThan(ms)),
  };
}

/** A broken stream throws its own error. When the file store fails, the stream is closed without one. */
function isBroken(content: Buffer | Readable, error: unknown): boolean {
  return content instanceof Readable && content.errored !== null && content.errored === error;
}
