import { mediaModels } from './media/models.ts';

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
  /** The protocols that do not serve it, though the deployment has them: `chat`, `compat.a`, `compat.b`. */
  readonly absentOn?: readonly string[];
  /** The requirement that states the model. */
  readonly row: string;
}

const bare = { vision: false, cache: false, media: false } as const;
const alpha = { ...bare, family: 'alpha', contextK: 400 } as const;
const beta = { family: 'beta', contextK: 200, vision: true, cache: true, media: true } as const;
const gamma = { ...bare, family: 'gamma', vision: true } as const;

export const chatCatalogue: readonly ChatModel[] = [
  { ...alpha, id: 'alpha-5-2', row: 'CAT-001', vision: true },
  { ...alpha, id: 'alpha-5-pro', row: 'CAT-002', vision: true },
  { ...alpha, id: 'alpha-5-codex', row: 'CAT-003' },
  { ...alpha, id: 'alpha-codex', row: 'CAT-004', contextK: 128 },
  { ...beta, id: 'beta-large-4-5', row: 'CAT-005' },
  { ...beta, id: 'beta-mid-4-5', row: 'CAT-006' },
  { ...beta, id: 'beta-small-4-5', row: 'CAT-007', vision: 'open', media: 'open' },
  { ...gamma, id: 'gamma-3-pro', row: 'CAT-008', contextK: 2000, media: true },
  { ...gamma, id: 'gamma-3-flash', row: 'CAT-009', contextK: 1000 },
  { ...bare, id: 'delta-3', row: 'CAT-010', family: 'delta', contextK: 256 },
];

/** Ids of models of the other endpoints, which are not chat models. */
export const otherModels: readonly string[] = mediaModels.map(({ id }) => id);

/** The deployment's declared facts about its own models, by the catalogue model that each replaces. */
const declared = new Map<string, Partial<ChatModel>>();

/** From now on these facts hold in place of the catalogue's. One process judges one deployment. */
export function declareModels(own: ReadonlyMap<string, Partial<ChatModel>>): void {
  declared.clear();
  for (const [role, facts] of own) declared.set(role, facts);
}

/** A model of the catalogue, with the declared facts of the deployment's model that replaces it. */
export function chatModel(id: string): ChatModel | undefined {
  const model = chatCatalogue.find((one) => one.id === id);
  return model && { ...model, ...declared.get(id) };
}

/** The smallest number of tokens above the window under both readings of K (1000 or 1024; see B-16). */
export function surelyAbove(model: ChatModel): number {
  return Math.ceil(model.contextK >= 1000 ? model.contextK * 1100 : model.contextK * 1024 + 1);
}
