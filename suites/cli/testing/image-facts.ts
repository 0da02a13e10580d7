import { docker } from './small-gateway-image.ts';

/** What an image of ours is, and what is in it. */
export interface ImageFacts {
  readonly user: string;
  readonly stopSignal: string;
  readonly hasHealthCheck: boolean;
  /** Of the programs that nobody needs to run it, those that it has. */
  readonly tools: readonly string[];
  readonly megabytes: number;
}

const tools = ['cc', 'gcc', 'g++', 'make', 'python3', 'npm', 'git', 'curl'];

/** Looks at an image from outside, and once from inside, with a root that is not written to. */
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
