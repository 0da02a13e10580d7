import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import type { Reply } from './fake-upstream.ts';

// Real output of media upstreams.

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A complete black image with 1 bit per pixel. */
export function pngOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    signature,
    chunkOf('IHDR', head),
    chunkOf('IDAT', deflateSync(rows)),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function sampleOf(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/media/${name}`, import.meta.url));
}

/** A short video, and a short audio file. */
export const mp4 = sampleOf('sea.mp4');
export const mp3 = sampleOf('sea.mp3');

/** An answer that serves a file. */
export function file(bytes: Buffer, type = 'application/octet-stream'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
    response.end(bytes);
  };
}

/** An answer that serves only part of a file. */
export function cutFile(bytes: Buffer): Reply {
  return (response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  };
}
