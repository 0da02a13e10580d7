import type { Planted } from './planted.ts';

/** An event that is sent again has another id. */
export const changesId: Planted = {
  name: 'changes-id',
  foundBy: 2,
  violates: /arrives under/,
  send: (send, { newId }) => {
    const sent = new Set<string>();
    return (means, sending) => {
      const id = sending.headers['webhook-id'] ?? '';
      const headers = sent.has(id) ? { ...sending.headers, 'webhook-id': newId('evt_') } : sending.headers;
      sent.add(id);
      return send(means, { ...sending, headers });
    };
  },
};

/** The event of a task is stored after the transaction that ends the task. */
export const keepsEventLater: Planted = {
  name: 'keeps-event-later',
  foundBy: 2,
  violates: /has ended without an event/,
  ends: (ends, { store }) => ({
    keep: async () => {},
    kept: (ended) => {
      void ends.keep(store.db, ended).then(() => ends.kept(ended));
    },
  }),
};
