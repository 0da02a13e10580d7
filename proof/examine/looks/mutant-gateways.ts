import { preflight } from '../../../suites/runner/preflight.ts';
import type { JobTarget } from '../../../suites/runner/run-input.ts';
import { StartError } from '../../../suites/stack/child.ts';
import { patchFlags } from '../../kill-matrix/patch.ts';
import { targetOf } from '../../kill-matrix/plan.ts';
import type { ProofStack } from '../../kill-matrix/proof-stack.ts';
import type { SourceMutant } from '../source-mutant.ts';

/** A running gateway with mutants. */
export interface MutantGateway {
  readonly target: JobTarget;
  /** The fault that the first requests of a run show now; null if none. */
  fault(): Promise<string | null>;
  stop(): Promise<void>;
}

/** Why there is no gateway. */
export interface Refusal {
  readonly refusal: string;
}

/** Starts gateways with one mutant or with several. */
export class MutantGateways {
  readonly #stack: ProofStack;
  #started = 0;

  constructor(stack: ProofStack) {
    this.#stack = stack;
  }

  reference(): JobTarget {
    return this.#stack.reference();
  }

  /** A gateway that has answered the first requests of a run, or why there is none. */
  async start(mutants: readonly SourceMutant[]): Promise<MutantGateway | Refusal> {
    let gateway: MutantGateway;
    try {
      gateway = await this.#launch(mutants);
    } catch (error) {
      return { refusal: (error as Error).message };
    }
    const fault = await gateway.fault();
    if (fault === null) return gateway;
    await gateway.stop();
    return { refusal: fault };
  }

  async #launch(mutants: readonly SourceMutant[]): Promise<MutantGateway> {
    this.#started += 1;
    // A unique name: the runner keeps the connections of a target by its name.
    const id = `${targetOf('mutant', mutants.map((mutant) => mutant.id).join('+'))} ${this.#started}`;
    const launch = (): ReturnType<ProofStack['startGateway']> =>
      this.#stack.startGateway(id, patchFlags(...mutants));
    const { target, stop } = await launch().catch((error: unknown) => {
      // A gateway that was not ready in time may only have been slow on a busy machine. One that exited gave its reason.
      if (error instanceof StartError && error.childCode === null) return launch();
      throw error;
    });
    return { target, stop, fault: () => faultOf(target) };
  }
}

async function faultOf({ profile }: JobTarget): Promise<string | null> {
  try {
    const { lost } = await preflight(profile);
    return lost.length === 0 ? null : `the gateway is not whole: ${lost.join('; ')}`;
  } catch (error) {
    return (error as Error).message;
  }
}
