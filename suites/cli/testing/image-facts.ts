import { docker } from './small-gateway-image.ts';

/** Facts about one of our images and its contents. */
export interface ImageFacts {
  readonly user: string;
  readonly stopSignal: string;
  readonly hasHealthCheck: boolean;
  /** The tools in it that are not needed to run it. */
  readonly tools: readonly string[];
  readonly megabytes: number;
}

const tools = ['cc', 'gcc', 'g++', 'make', 'python3', 'npm', 'git', 'curl'];

/** Inspects an image from outside, and once from inside with a read-only root. */
export function imageFacts(image: string): ImageFacts {
  const [{ Config, Size }] = JSON.parse(docker('image', 'inspect', image));
  const look = `for tool in ${tools.join(' ')}; do command -v $tool; done; true`;
  const inside = ['run', '--rm', '--read-only', '--cap-drop', 'ALL', '--entrypoint', 'sh'];
  return {
    user: Config.User,
    stopSignal: Config.StopSignal,
    hasHealthCheck: Config.Healthcheck !== undefined,
    tools: docker(...inside, image, '-c', look)
      .split('\n')
      .filter((line) => line !== ''),
    megabytes: Math.round(Size / 1_000_000),
  };
}
