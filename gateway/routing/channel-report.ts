import { z } from 'zod';

const ms = z.number().min(0);
/** The user or account whose call it was, or whose own gate has changed; absent for the gate of all. */
const by = z.string().optional();
const report = z.discriminatedUnion('what', [
  z.strictObject({ what: z.enum(['failed', 'succeeded', 'closed']), by }),
  /** Successes before the first failure: how long ago (ms), and how many. */
  z.strictObject({ what: z.literal('served'), before: z.array(z.tuple([ms, z.int().min(1)])).max(201) }),
  /** A call is probing the channel, or a probe has ended without a result. */
  z.strictObject({ what: z.enum(['probing', 'unproven']), by }),
  /** An upstream asked for a pause. */
  z.strictObject({ what: z.literal('busy'), forMs: ms, by }),
  /** The breaker has opened; `opening` counts how often since it was last closed. */
  z.strictObject({ what: z.literal('opened'), opening: z.int().min(1), forMs: ms, why: z.string(), by }),
]);

/**
 * What one process reports to the others on its database about a channel of a model. While its breaker is closed, outcomes
 * are reported as long as there are failures among them, with those before the first; from then on, what becomes of the breaker.
 */
export type ChannelReport = z.infer<typeof report>;

/** Several reports as they are sent between processes, each with the ids of its channel and model. */
export const reportLines = z.array(z.tuple([z.string(), z.string(), report]));

/** Sends a report about a channel and model; resolves when it has been sent or is lost. */
export type SendReport = (channelId: string, modelId: string, report: ChannelReport) => Promise<void>;
