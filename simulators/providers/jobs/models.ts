import { modelOf } from '../media/model-name.ts';
import { flag, link, linkOrData, type NativeMembers, oneOf, text } from '../media/native-members.ts';

/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** The allowed members of its `input`. */
  readonly members: NativeMembers;
}

const prompt = { prompt_text: text() };
const frame = { first_frame: link };
const fiveOrTen = { seconds: oneOf(5, 10).exactOptional() };
const avatar = { ...prompt, ...frame, driving_audio: link };
const withSound = (...seconds: readonly number[]): NativeMembers => ({
  ...prompt,
  ratio: oneOf('16:9', '9:16', '1:1').exactOptional(),
  resolution: oneOf('480p', '720p', '1080p').exactOptional(),
  generate_audio: flag.exactOptional(),
  first_frame: linkOrData.exactOptional(),
  seconds: oneOf(...seconds).exactOptional(),
});

/** All models of this dialect, by name; any other name gets a native 404. */
const models: Readonly<Record<string, NativeMembers>> = {
  'vidA-3-1-quality-native': withSound(8),
  'vidA-3-1-fast-native': withSound(4, 6, 8),
  'vidB2-native': { ...prompt, ...fiveOrTen, ratio: oneOf('16:9', '9:16').exactOptional() },
  'motion-gen3-alpha-turbo-native': { ...prompt, ...frame, ...fiveOrTen, camera: text().exactOptional() },
  'motion-gen4-native': { ...prompt, first_frame: link.exactOptional(), ...fiveOrTen },
  'motion-aleph-native': { ...prompt, source_video: link },
  'vidC-v21-master-i2v-native': { ...prompt, ...frame, ...fiveOrTen },
  'vidC-v21-master-t2v-native': { ...prompt, ...fiveOrTen },
  'vidC-v25-i2v-pro-native': { ...prompt, ...frame, ...fiveOrTen },
  'vidC-v25-t2v-pro-native': { ...prompt, ...fiveOrTen },
  'vidC-avatar-std-native': avatar,
  'vidC-avatar-pro-native': avatar,
  'vidD-02-native': { ...prompt, first_frame: link.exactOptional(), seconds: oneOf(6, 10).exactOptional() },
  'delta-imagine-t2v-native': { ...prompt, ...fiveOrTen },
  'delta-imagine-i2v-native': { ...prompt, ...frame },
  'upscale-video-native': { source_video: link, output_resolution: oneOf('1080p', '4k').exactOptional() },
  'talk-audio-native': { driving_audio: link, portrait: link },
  'motion-act-two-native': { character_video: link, performance_video: link },
};

export function findModel(name: string): NativeModel | undefined {
  const known = modelOf(name);
  const members = Object.hasOwn(models, known) ? models[known] : undefined;
  return members === undefined ? undefined : { name: known, members };
}
