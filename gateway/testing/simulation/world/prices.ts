import type { PriceRow } from '../../../money/price-row.ts';
import { chatModel, fallbackModel, videoModel, voiceModel } from './scenario.ts';

const tokens = (model_id: string, input_pico: bigint, output_pico: bigint): PriceRow => ({
  ...{ model_id, input_pico, output_pico, cached_percent: 10, write_5m_percent: 125, write_1h_percent: 200 },
});

/** No two prices are alike, so that a charge tells what it is for. */
export const prices: readonly PriceRow[] = [
  tokens(chatModel, 3n, 17n),
  tokens(fallbackModel, 101n, 1009n),
  { model_id: voiceModel, unit: 'task', unit_pico: 1_000_003n, quality_pico: null },
  { model_id: videoModel, unit: 'second', unit_pico: 20_011n, quality_pico: null },
];

/** What a prepaid account is granted: enough for some tasks, and not for all. */
export const thinGrant = 2_600_000n;

/** The charge for a chat answer, worked out here a second time. */
export function chatCharge(model: string, promptTokens: number, completionTokens: number): bigint {
  return model === chatModel
    ? 3n * BigInt(promptTokens) + 17n * BigInt(completionTokens)
    : 101n * BigInt(promptTokens) + 1009n * BigInt(completionTokens);
}

/** Seconds of every simulated video. */
export const videoSeconds = 5;

/** The charge for a task that succeeded. */
export function taskCharge(model: string): bigint {
  return model === voiceModel ? 1_000_003n : 20_011n * BigInt(videoSeconds);
}
