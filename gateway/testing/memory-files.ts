import type { Readable } from 'node:stream';
import { contentTypeOf } from '../media/content-type.ts';
import type { KeptFile, MediaFiles } from '../media/media-files.ts';

/** Stored files in memory. */
export interface MemoryFiles extends MediaFiles {
  readonly kept: ReadonlyMap<string, Buffer>;
}

export function memoryFiles(newId: () => string): MemoryFiles {
  const kept = new Map<string, Buffer>();
  return {
    kept,
    keep: async (extension, content): Promise<KeptFile> => {
      const name = `${newId()}.${extension}`;
      const bytes = Buffer.isBuffer(content) ? content : await wholeOf(content);
      kept.set(name, bytes);
      return { name, contentType: typeOf(name), bytes: bytes.length };
    },
    open: async (name) => {
      const bytes = kept.get(name);
      if (bytes === undefined) return null;
      return {
        name,
        contentType: typeOf(name),
        bytes: bytes.length,
        read: async (at, length) => bytes.subarray(at, at + length),
        close: async () => {},
      };
    },
    remove: async (name) => {
      kept.delete(name);
    },
    removeOlderThan: async () => {},
  };
}

function typeOf(name: string): string {
  return contentTypeOf(name.split('.')[1] ?? '') ?? 'application/octet-stream';
}

async function wholeOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
