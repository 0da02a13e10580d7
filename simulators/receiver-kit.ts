/**
 * The toolkit for a receiver of a gateway's events: it verifies an event and processes it once. Exported by the package as
 * `gatecheck-simulators/receiver`.
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of the package
export { createReceiver, processedPath, type ReceiverOptions } from './webhooks/receiver.ts';
export { BadSecret, readSecrets } from './webhooks/secrets.ts';
export { SeenIds, type SeenLimits } from './webhooks/seen.ts';
export {
  type IncomingEvent,
  maxApartSeconds,
  type Refusal,
  type Trust,
  type Verdict,
  verifyEvent,
} from './webhooks/verify.ts';
