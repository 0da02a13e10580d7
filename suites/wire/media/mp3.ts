/** Bit rates of layer III by index, kbit/s: version 1, then versions 2 and 2.5. */
const rates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const rates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Sample rates by index of versions 1, 2 and 2.5, Hz. */
const frequencies = { 3: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000], 0: [11_025, 12_000, 8_000] };

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** The length of an MP3, frame by frame; null when it is not an MP3, or its last frame is truncated. */
export function mp3Seconds(bytes: Buffer): number | null {
  let seconds = 0;
  let at = afterTag(bytes);
  for (let frame = frameAt(bytes, at); frame !== null; frame = frameAt(bytes, at)) {
    seconds += frame.seconds;
    at += frame.bytes;
  }
  const rest = bytes.subarray(at);
  // An ID3v1 tag may follow the last frame.
  const isWhole = rest.length === 0 || (rest.length === 128 && rest.toString('latin1', 0, 3) === 'TAG');
  return seconds > 0 && isWhole ? seconds : null;
}

/** Where the frames begin after an ID3v2 tag. */
function afterTag(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0;
  return 10 + [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((bytes[place] ?? 0) & 0x7f), 0);
}

function frameAt(bytes: Buffer, at: number): Frame | null {
  if (at + 4 > bytes.length) return null;
  const head = bytes.readUInt32BE(at);
  const version = (head >>> 19) & 3;
  const isLayer3 = ((head >>> 17) & 3) === 1;
  if (head >>> 21 !== 0x7ff || version === 1 || !isLayer3) return null;
  const kilobits = (version === 3 ? rates1 : rates2)[(head >>> 12) & 15];
  const hertz = frequencies[version as keyof typeof frequencies][(head >>> 10) & 3];
  if (kilobits === undefined || kilobits === 0 || hertz === undefined) return null;
  const samples = version === 3 ? 1152 : 576;
  const length = Math.floor((samples / 8) * ((kilobits * 1000) / hertz)) + ((head >>> 9) & 1);
  return at + length > bytes.length ? null : { bytes: length, seconds: samples / hertz };
}
