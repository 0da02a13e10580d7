import { expect, it } from 'vitest';
import { chatModels } from '../catalogue/chat-models.ts';
import { type StoredGateway, startStoredGateway } from '../testing/stored-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { type ChangeDeps, changing } from './changing.ts';
import { changeKey } from './keys.ts';

let gateway: StoredGateway;
twoEndsOfFile(startStoredGateway, {}, (ends) => {
  ({ gateway } = ends);
});

const ask = async (): Promise<string> => {
  const answer = await gateway.chat({ model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] });
  return answer.json.error?.code ?? 'ok';
};

it('takes effect even if only the answer to its commit was lost', async () => {
  const { db } = gateway.store;
  const parts: Omit<ChangeDeps, 'db'> = {
    directory: gateway.app.directory,
    catalogue: chatModels,
    newId: (prefix) => `${prefix}1`,
    hashKey: (secret) => secret,
  };
  const deaf = new Proxy(db, {
    get: (target, name) =>
      name !== 'transaction'
        ? Reflect.get(target, name)
        : () => ({
            execute: async (run: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) => {
              await target.transaction().execute(run);
              throw new Error('connection terminated');
            },
          }),
  });
  const disable = changing({ ...parts, db: deaf }, (change) =>
    changeKey(change, 'key-1', { disabled: true }),
  );
  await expect(disable).rejects.toThrow('connection terminated');
  await expect.poll(ask, { timeout: 2000 }).toBe('sk_disabled');
});
