import { Readable } from 'node:stream';
import type { MediaFiles, OpenedFile } from './media-files.ts';

/** What is asked of the place for files. */
export const fileSteps = ['store', 'open', 'read', 'remove'] as const;
export type FileStep = (typeof fileSteps)[number];

/**
 * The same files, with a call for each step that their place failed. An upstream that breaks off what is being stored, and a file
 * that is not there, are no failures of the place.
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

/** Where a stream breaks, its own error comes out. Where the place fails, the stream is closed without one. */
function isBroken(content: Buffer | Readable, error: unknown): boolean {
  return content instanceof Readable && content.errored !== null && content.errored === error;
}
