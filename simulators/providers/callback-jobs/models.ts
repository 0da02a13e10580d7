import { z } from 'zod';
import { modelOf } from '../media/model-name.ts';
import { flag, link, type NativeMembers, ratio, text } from '../media/native-members.ts';

/** One task that a native model supports. */
export interface NativeTask {
  /** The allowed members of its `params`. */
  readonly members: NativeMembers;
  /** The number of parent jobs that it continues from. */
  readonly parents: 'none' | 'one' | 'two' | 'perhaps one';
}

/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  readonly tasks: Readonly<Record<string, NativeTask>>;
  /** Tasks whose results other jobs may continue from. */
  readonly basis: ReadonlySet<string>;
}

const share = z.number().min(0).max(1).exactOptional();
const count = (min: number, max: number) => z.int().min(min).max(max).exactOptional();

const imagineMembers = {
  prompt: text(),
  ratio: ratio.exactOptional(),
  stylize: count(0, 1000),
  weird: count(0, 3000),
  chaos: count(0, 100),
  tile: flag.exactOptional(),
};
const ofCell = { index: z.int().min(1).max(4) };

const journey: NativeModel = {
  name: 'journey-7-native',
  tasks: {
    imagine: { members: imagineMembers, parents: 'none' },
    upscale: { members: ofCell, parents: 'one' },
    variation: { members: ofCell, parents: 'one' },
    reroll: { members: {}, parents: 'one' },
  },
  basis: new Set(['imagine', 'variation', 'reroll']),
};

const songMembers = {
  prompt: text().exactOptional(),
  lyric: z.string().exactOptional(),
  makeInstrumental: flag.exactOptional(),
  durationSec: z.number().positive().max(600).exactOptional(),
};
const section = z.number().nonnegative().exactOptional();
const goingOn: NativeTask = { members: songMembers, parents: 'one' };

const song: NativeModel = {
  name: 'song-5-native',
  tasks: {
    generate: { members: { ...songMembers, prompt: text() }, parents: 'none' },
    extend: goingOn,
    cover: goingOn,
    lyrics: goingOn,
    'add-vocals': goingOn,
    instrumental: goingOn,
    mashup: { members: songMembers, parents: 'two' },
    stem: goingOn,
    mv: goingOn,
    wav: goingOn,
    'cover-img': goingOn,
    replace: { members: { ...songMembers, sectionStart: section, sectionEnd: section }, parents: 'one' },
    persona: { members: { ...songMembers, personaId: text() }, parents: 'perhaps one' },
    'upload-extend': { members: { ...songMembers, uploadUrl: link }, parents: 'none' },
  },
  basis: new Set([
    'generate',
    'extend',
    'cover',
    'add-vocals',
    'instrumental',
    'mashup',
    'stem',
    'wav',
    'replace',
    'persona',
    'upload-extend',
  ]),
};

const voice: NativeModel = {
  name: 'voice_v3',
  tasks: {
    speak: {
      members: {
        text: text(),
        voiceId: text(200),
        voiceModel: text(200).exactOptional(),
        stability: share,
        style: share,
        speakerBoost: flag.exactOptional(),
      },
      parents: 'none',
    },
  },
  basis: new Set(),
};

const music: NativeModel = {
  name: 'voice-music-native',
  tasks: {
    music: {
      members: { prompt: text(), durationSec: z.number().positive().max(600).exactOptional() },
      parents: 'none',
    },
  },
  basis: new Set(),
};

/** All models of this dialect. Any other name is rejected. */
const models: readonly NativeModel[] = [journey, song, voice, music];

export function findModel(name: string): NativeModel | undefined {
  return models.find((model) => model.name === modelOf(name));
}
