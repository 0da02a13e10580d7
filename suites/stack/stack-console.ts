import type { Child } from './child.ts';
import { consoleInbox, serveConsoleEvents } from './console-events.ts';
import type { StackSecrets } from './stack-secrets.ts';
import { textIn } from './start-gateway.ts';
import type { ReceiverChild } from './start-receiver.ts';

/** The console's page, and where events go that it shows. */
export interface ConsoleAddresses {
  readonly url: string;
  readonly webhookUrl: string;
}

/** The console of a stack; without `ui` there is none, and nothing is started. */
export function stackConsole(ui: boolean) {
  const source = ui ? serveConsoleEvents() : null;
  return {
    /** What the simulators have to know of it. */
    options: source === null ? {} : { eventsUrl: source.then(({ url }) => url) },
    connect: async (
      { simulators, receiver }: { readonly simulators: Child; readonly receiver: ReceiverChild },
      { tenants, kitSecret }: StackSecrets,
    ): Promise<ConsoleAddresses | null> => {
      if (source === null) return null;
      const { url, control_url: control } = receiver.ready;
      await (await source).connect(control, [
        ...tenants.map(({ webhookSecret }) => webhookSecret),
        kitSecret,
      ]);
      return { url: textIn(simulators.ready.console_url), webhookUrl: `${url}/${consoleInbox}` };
    },
    close: async (): Promise<void> => (await source)?.close(),
  };
}
