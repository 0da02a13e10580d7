/** Versions of MPEG audio, each with its own sample rate. */
export type Mp3Version = '1' | '2' | '2.5';

interface VersionFacts {
  readonly bits: number;
  readonly hertz: number;
  readonly samples: number;
  /** Legal bit rates of layer III, kbit/s, from the index 1 on. */
  readonly rates: readonly number[];
}

const lowRates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const versions: Readonly<Record<Mp3Version, VersionFacts>> = {
  '1': {
    bits: 3,
    hertz: 44_100,
    samples: 1152,
    rates: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  '2': { bits: 2, hertz: 22_050, samples: 576, rates: lowRates },
  '2.5': { bits: 0, hertz: 11_025, samples: 576, rates: lowRates },
};

/**
 * Silence whose frames use all bit rates of a version in turn, the highest first, some with a padding byte. The title is in
 * an ID3v1 tag at the end. Nothing precedes the frames.
 */
export function renderAllRates(seconds: number, title: string, version: Mp3Version): Buffer {
  const { hertz, samples, rates } = versions[version];
  const frames = Math.max(rates.length, Math.round((seconds * hertz) / samples));
  const round = rates.flatMap((_, place) =>
    [0, 1].map((padding) => frameOf(version, rates.length - place, padding)),
  );
  return Buffer.concat([
    ...Array.from({ length: frames }, (_, at) => round[at % round.length] ?? silent),
    tag(title),
  ]);
}

const silent = Buffer.alloc(0);

/** One frame; a body of zeros is silent. */
function frameOf(version: Mp3Version, index: number, padding: number): Buffer {
  const { bits, hertz, samples, rates } = versions[version];
  const bytes = Math.floor(((samples / 8) * (rates[index - 1] ?? 0) * 1000) / hertz) + padding;
  const frame = Buffer.alloc(bytes);
  // Layer III without a checksum; one channel.
  frame.set([0xff, 0xe3 | (bits << 3), (index << 4) | (padding << 1), 0xc4]);
  return frame;
}

function tag(title: string): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write('TAG', 'latin1');
  bytes.write(title.slice(-30), 3, 'latin1');
  return bytes;
}
