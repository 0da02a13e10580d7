/** Runs at most this many functions at once; the others wait in order. */
export type Limited = <Result>(run: () => Promise<Result>) => Promise<Result>;

export function atMost(count: number): Limited {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      // The longest-waiting function takes over this slot.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
