/** The worker processes of one gateway, this one among them. */
export interface Siblings {
  /** Whether this process is the only one. */
  readonly isAlone: boolean;
  /** Asks each of them, this one included. Those that end meanwhile, or know nothing about it, give no answer. */
  ask(topic: string, value: unknown): Promise<readonly unknown[]>;
  /** What this process answers about a topic from now on. */
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
