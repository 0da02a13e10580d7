/**
 * What a receiver of a gateway's events needs, under the name `gatecheck-simulators/receiver` of the package: an event is verified, and
 * processed once.
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
