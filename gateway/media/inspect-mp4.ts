import type { MediaSource } from './media-source.ts';

/** Properties that a complete video or audio file states about itself. */
export interface Recording {
  /** Seconds, perhaps with a fraction; null when the file states none. */
  readonly seconds: number | null;
}

interface Box {
  readonly type: string;
  /** Offsets of the box's content and of the next box. */
  readonly from: number;
  readonly end: number;
}

/** By the first bytes alone. */
export function isMp4(head: Buffer): boolean {
  return head.toString('latin1', 4, 8) === 'ftyp';
}

/** Inspects a file whose boxes fill it exactly and include an index; null for a truncated file. */
export async function inspectMp4(source: MediaSource): Promise<Recording | null> {
  const boxes = await boxesOf(source, 0, source.bytes);
  if (boxes?.[0]?.type !== 'ftyp') return null;
  const index = boxes.find(({ type }) => type === 'moov');
  if (index === undefined || !boxes.some(({ type }) => type === 'mdat')) return null;
  const parts = await boxesOf(source, index.from, index.end);
  const place = parts?.find(({ type }) => type === 'mvhd');
  if (parts === null || place === undefined) return null;
  const header = await source.read(place.from, 32);
  const scale = scaleIn(header);
  if (scale === null) return { seconds: null };
  const units = unitsIn(header) || (await unitsOfFragments(source, parts));
  return { seconds: units > 0 ? units / scale : null };
}

/** The duration of a fragmented file, whose own header states none; 0 if its extension does not, either. */
async function unitsOfFragments(source: MediaSource, parts: readonly Box[]): Promise<number> {
  const extension = parts.find(({ type }) => type === 'mvex');
  if (extension === undefined) return 0;
  const inner = await boxesOf(source, extension.from, extension.end);
  const stated = inner?.find(({ type }) => type === 'mehd');
  if (stated === undefined) return 0;
  const bytes = await source.read(stated.from, 12);
  const isLong = bytes[0] === 1;
  if (bytes.length < (isLong ? 12 : 8)) return 0;
  return isLong ? Number(bytes.readBigUInt64BE(4)) : bytes.readUInt32BE(4);
}

/** Maximum number of boxes: a fragmented file has some thousands. */
const maxBoxes = 100_000;

/** The consecutive boxes that fill a range of the file; null when they do not fill it exactly. */
async function boxesOf(source: MediaSource, from: number, end: number): Promise<readonly Box[] | null> {
  const boxes: Box[] = [];
  for (let at = from; at < end; ) {
    const box = boxAt(await source.read(at, 16), at, end);
    if (box === null || box.end > end || boxes.length === maxBoxes) return null;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

function boxAt(head: Buffer, at: number, end: number): Box | null {
  if (head.length < 8) return null;
  const type = head.toString('latin1', 4, 8);
  const length = head.readUInt32BE(0);
  if (length === 0) return { type, from: at + 8, end };
  if (length >= 8) return { type, from: at + 8, end: at + length };
  if (length !== 1 || head.length < 16) return null;
  const long = Number(head.readBigUInt64BE(8));
  return long >= 16 ? { type, from: at + 16, end: at + long } : null;
}

/** The duration that a whole header states. It has two versions; the second has longer numbers. */
function unitsIn(header: Buffer): number {
  return header[0] === 1 ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
}

/** Units of a second in a header; null if the header is cut or states none. */
function scaleIn(header: Buffer): number | null {
  const isLong = header[0] === 1;
  if (header.length < (isLong ? 32 : 20)) return null;
  return header.readUInt32BE(isLong ? 20 : 12) || null;
}
