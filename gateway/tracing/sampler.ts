import type { Sampler } from '@opentelemetry/sdk-trace';
import { TracingUnavailable } from './tracing-unavailable.ts';

type Samplers = Pick<
  typeof import('@opentelemetry/sdk-trace'),
  'AlwaysOffSampler' | 'AlwaysOnSampler' | 'ParentBasedSampler' | 'TraceIdRatioBasedSampler'
>;

/**
 * The sampler named by OTEL_TRACES_SAMPLER and its argument. By default it follows the caller's decision.
 * @throws TracingUnavailable for an unknown name or an invalid ratio
 */
export function samplerOf(env: NodeJS.ProcessEnv, samplers: Samplers): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const [, parentBased = '', root = ''] = /^(parentbased_)?(.+)$/.exec(name) ?? [];
  const sampler = rootSampler(root, env.OTEL_TRACES_SAMPLER_ARG, samplers);
  if (sampler === null)
    throw new TracingUnavailable(
      `OTEL_TRACES_SAMPLER is ${name}; there are always_on, always_off and traceidratio, each also with parentbased_ before it.`,
    );
  return parentBased === '' ? sampler : new samplers.ParentBasedSampler({ root: sampler });
}

function rootSampler(name: string, argument: string | undefined, samplers: Samplers): Sampler | null {
  switch (name) {
    case 'always_on':
      return new samplers.AlwaysOnSampler();
    case 'always_off':
      return new samplers.AlwaysOffSampler();
    case 'traceidratio':
      return new samplers.TraceIdRatioBasedSampler(ratioOf(argument));
    default:
      return null;
  }
}

function ratioOf(argument: string | undefined): number {
  const ratio = argument === undefined || argument === '' ? 1 : Number(argument);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new TracingUnavailable(`OTEL_TRACES_SAMPLER_ARG is ${argument}; it must be a number from 0 to 1.`);
}
