/**
 * The chat models of the specification ("Chat model catalogue"): window in thousands of tokens, and
 * capabilities.
 * `open`: the specification contradicts itself, so either answer passes if it is clean (reading B-27).
 */
export interface ChatModel {
  readonly id: string;
  readonly family: 'alpha' | 'beta' | 'gamma' | 'delta';
  readonly contextK: number;
  readonly vision: boolean | 'open';
  readonly cache: boolean;
  /** Accepts video, audio and PDF in image_url blocks ("Message roles"). */
  readonly media: boolean | 'open';
}

const bare = { vision: false, cache: false, media: false } as const;
const alpha = { ...bare, family: 'alpha', contextK: 400 } as const;
const beta = { family: 'beta', contextK: 200, vision: true, cache: true, media: true } as const;
const gamma = { ...bare, family: 'gamma', vision: true } as const;

export const chatCatalogue: readonly ChatModel[] = [
  { ...alpha, id: 'alpha-5-2', vision: true },
  { ...alpha, id: 'alpha-5-pro', vision: true },
  { ...alpha, id: 'alpha-5-codex' },
  { ...alpha, id: 'alpha-codex', contextK: 128 },
  { ...beta, id: 'beta-large-4-5' },
  { ...beta, id: 'beta-mid-4-5' },
  { ...beta, id: 'beta-small-4-5', vision: 'open', media: 'open' },
  { ...gamma, id: 'gamma-3-pro', contextK: 2000, media: true },
  { ...gamma, id: 'gamma-3-flash', contextK: 1000 },
  { ...bare, id: 'delta-3', family: 'delta', contextK: 256 },
];

/** Ids of models of the other endpoints, which are not chat models. */
export const otherModels: readonly string[] = [
  'alpha-image-2',
  'gamma-3-pro-image',
  'kontext-pro',
  'kontext-max',
  'motion-gen4-image',
  'dream-4-0',
  'edit-image',
  'vector-v3',
  'journey-v7',
  'vidA-3.1-quality',
  'vidA-3.1-fast',
  'vidB2',
  'motion-gen3-alpha-turbo',
  'motion-gen4',
  'motion-aleph',
  'vidC-v21-master-i2v',
  'vidC-v21-master-t2v',
  'vidC-v25-i2v-pro',
  'vidC-v25-t2v-pro',
  'vidC-avatar-std',
  'vidC-avatar-pro',
  'vidD-02',
  'delta-imagine-t2v',
  'delta-imagine-i2v',
  'upscale-video',
  'talk-audio',
  'song-v5',
  'voice-v3',
  'voice-music',
  'motion-act-two',
];

export function chatModel(id: string): ChatModel | undefined {
  return chatCatalogue.find((model) => model.id === id);
}

/** The smallest number of tokens above the window under both readings of K (1000 or 1024; see B-16). */
export function surelyAbove(model: ChatModel): number {
  return model.contextK >= 1000 ? Math.ceil(model.contextK * 1100) : model.contextK * 1024 + 1;
}

/** The requirements that each state one model of the catalogue. */
export const catalogueRows: Readonly<Record<string, string>> = {
  'alpha-5-2': 'CAT-001',
  'alpha-5-pro': 'CAT-002',
  'alpha-5-codex': 'CAT-003',
  'alpha-codex': 'CAT-004',
  'beta-large-4-5': 'CAT-005',
  'beta-mid-4-5': 'CAT-006',
  'beta-small-4-5': 'CAT-007',
  'gamma-3-pro': 'CAT-008',
  'gamma-3-flash': 'CAT-009',
  'delta-3': 'CAT-010',
};
