/** The API for your own checks, exported by the package `gatecheck`. These names stay for the whole major version. */
// biome-ignore-all lint/performance/noBarrelFile: the entry of the package
export type { Reply, SimulatorControl, TenantControl } from 'gatecheck-simulators/client';
export { type Check, type CheckFacts, type CheckKind, defineCheck } from './engine/check.ts';
export type { Fact } from './engine/facts.ts';
export type { CheckParts } from './engine/parts/check-parts.ts';
export type { Scene } from './engine/scene.ts';
export type { UpstreamRequest } from './engine/upstream-request.ts';
export { defineRequirement, type OwnRequirement } from './rules/own-requirement.ts';
export type { Requirement } from './rules/register.ts';
export { advise, type Finding, flag, must, Untestable, Violation } from './rules/violation.ts';
export { type Exchange, excerpt, jsonOf, outcomeOf } from './wire/exchange.ts';
