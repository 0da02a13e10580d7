/** The chat model catalogue of the specification ("Chat model catalogue"): window in thousands of tokens, and capabilities. */
export interface ChatModel {
  readonly id: string;
  readonly family: 'alpha' | 'beta' | 'gamma' | 'delta';
  readonly contextK: number;
  readonly vision: boolean;
  readonly cache: boolean;
}

export const chatCatalogue: readonly ChatModel[] = [
  { id: 'alpha-5-2', family: 'alpha', contextK: 400, vision: true, cache: false },
  { id: 'alpha-5-pro', family: 'alpha', contextK: 400, vision: true, cache: false },
  { id: 'alpha-5-codex', family: 'alpha', contextK: 400, vision: false, cache: false },
  { id: 'alpha-codex', family: 'alpha', contextK: 128, vision: false, cache: false },
  { id: 'beta-large-4-5', family: 'beta', contextK: 200, vision: true, cache: true },
  { id: 'beta-mid-4-5', family: 'beta', contextK: 200, vision: true, cache: true },
  { id: 'beta-small-4-5', family: 'beta', contextK: 200, vision: false, cache: true },
  { id: 'gamma-3-pro', family: 'gamma', contextK: 2000, vision: true, cache: false },
  { id: 'gamma-3-flash', family: 'gamma', contextK: 1000, vision: true, cache: false },
  { id: 'delta-3', family: 'delta', contextK: 256, vision: false, cache: false },
];

/** Ids of the other endpoints: an id of these is no chat model. */
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

/** The least number of tokens that is above the window under every reading of K (1000 or 1024; see B-16). */
export function surelyAbove(model: ChatModel): number {
  return model.contextK >= 1000 ? Math.ceil(model.contextK * 1100) : model.contextK * 1024 + 1;
}

/** The rows of the register that state one model of the catalogue each. */
export const catalogueRows: Readonly<Record<string, string>> = {
  'alpha-5-2': 'CAT-001',
  'alpha-5-pro': 'CAT-002',
  'alpha-5-codex': 'CAT-003',
  'alpha-codex': 'CAT-004',
  'delta-3': 'CAT-010',
};
