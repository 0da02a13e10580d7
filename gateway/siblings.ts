/** The worker processes of one gateway, this one among them. */
export interface Siblings {
  /** Whether this process is the only one. */
  readonly isAlone: boolean;
  /**
   * Sends a question to each process, including this one. Processes that end meanwhile, or do not know the topic, give no
   * answer.
   */
  ask(topic: string, value: unknown): Promise<readonly unknown[]>;
  /** Sets how this process answers questions on a topic. */
  answer(topic: string, reply: (value: unknown) => Promise<unknown>): void;
}

/** A gateway of one process, which asks itself. */
export function onlyProcess(): Siblings {
  const replies = new Map<string, (value: unknown) => Promise<unknown>>();
  return {
    isAlone: true,
    ask: async (topic, value) => {
      const reply = replies.get(topic);
      return reply === undefined ? [] : [await reply(value)];
    },
    answer: (topic, reply) => void replies.set(topic, reply),
  };
}
