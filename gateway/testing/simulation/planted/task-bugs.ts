import type { Planted } from './planted.ts';

/** A step is written whoever has the task by now, and though it has a job, an ending, or its end. */
export const goesBack: Planted = {
  name: 'goes-back',
  foundBy: 96,
  violates: /goes from|ends twice|ending of .* changes|changes its job/,
  store: (store) =>
    store.replace('save tasks', (statement) => ({
      ...statement,
      run: (call) => {
        const { tasks } = call.tables;
        const changes: { id: string }[] = JSON.parse(String(call.params[0]));
        const holder = String(call.params[2]);
        for (const { id } of changes)
          tasks.change(id, { holder, ended_at: null, ending: null, native_id: null });
        return statement.run(call);
      },
    })),
};

/** A task that is taken up again does not know where its job may have been started. */
export const startsTwice: Planted = {
  name: 'starts-twice',
  foundBy: 12,
  violates: /has more than one job/,
  work: (work) => ({
    ...work,
    start: (task, noteChannel) => work.start({ ...task, channelId: null }, noteChannel),
  }),
};
