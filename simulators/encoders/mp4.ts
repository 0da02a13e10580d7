import { readFileSync } from 'node:fs';

/** Two frames of H.264, a fifth of a second each. */
const source = new URL('../../fixtures/media/sea.mp4', import.meta.url);

/** Boxes that only contain other boxes. */
const containers: ReadonlySet<string> = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl']);

let film: Buffer | null = null;

/**
 * The fixture's video, slowed down: every header with a duration is changed; the frames stay unchanged.
 * The title is in a free box at the end, which players skip.
 */
export function renderMp4(seconds: number, title: string): Buffer {
  film ??= readFileSync(source);
  const slowed = Buffer.from(film);
  retime(slowed, 0, slowed.length, { seconds, filmScale: 1000, mediaScale: 1000 });
  return Buffer.concat([slowed, freeBox(title)]);
}

/** The duration and the time scales (units per second) of the video and its track. */
interface Times {
  readonly seconds: number;
  filmScale: number;
  mediaScale: number;
}

function retime(bytes: Buffer, from: number, to: number, times: Times): void {
  for (let at = from; at < to; at += bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (containers.has(type)) retime(bytes, at + 8, at + bytes.readUInt32BE(at), times);
    else retimeBox(bytes, at + 8, type, times);
  }
}

function retimeBox(bytes: Buffer, body: number, type: string, times: Times): void {
  const inFilm = (): number => Math.round(times.seconds * times.filmScale);
  const inMedia = (): number => Math.round(times.seconds * times.mediaScale);
  switch (type) {
    case 'mvhd':
      times.filmScale = bytes.readUInt32BE(body + 12);
      bytes.writeUInt32BE(inFilm(), body + 16);
      break;
    case 'tkhd':
      bytes.writeUInt32BE(inFilm(), body + 20);
      break;
    case 'elst':
      bytes.writeUInt32BE(inFilm(), body + 8);
      break;
    case 'mdhd':
      times.mediaScale = bytes.readUInt32BE(body + 12);
      bytes.writeUInt32BE(inMedia(), body + 16);
      break;
    case 'stts':
      bytes.writeUInt32BE(Math.round(inMedia() / bytes.readUInt32BE(body + 8)), body + 12);
      break;
  }
}

function freeBox(text: string): Buffer {
  const body = Buffer.from(text, 'latin1');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + body.length);
  head.write('free', 4, 'latin1');
  return Buffer.concat([head, body]);
}
