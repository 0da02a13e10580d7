/**
 * Which areas of checks look first at a part of the gateway, by the beginning of a path. The longest beginning counts.
 * `faces` and `faults` are the two folders of checks that go across the areas.
 */
export const areasByPath: Readonly<Record<string, readonly string[]>> = {
  'gateway/app.ts': ['EP', 'ERR', 'CHAT'],
  'gateway/backup.ts': ['BILL'],
  'gateway/clock.ts': ['LIM', 'BILL', 'TASK'],
  'gateway/config.ts': ['CAT', 'ROUTE', 'LIM', 'AUTH'],
  'gateway/config/': ['CAT', 'ROUTE', 'LIM', 'AUTH'],
  'gateway/drain.ts': ['SSE', 'BILL'],
  'gateway/main.ts': ['EP', 'CHAT'],
  'gateway/read-config.ts': ['CAT', 'ROUTE'],

  'gateway/access/': ['AUTH', 'LIM', 'ERR'],
  'gateway/admin/': ['AUTH', 'LIM', 'BILL', 'CAT'],
  'gateway/billing/': ['BILL', 'CACHE', 'LIM'],
  'gateway/catalogue/': ['CAT', 'CHAT', 'IMG', 'VID'],
  'gateway/endpoints/': ['EP', 'CAT', 'LIM', 'ERR', 'AUTH'],
  'gateway/endpoints/admin/': ['AUTH', 'BILL', 'LIM'],
  'gateway/endpoints/callbacks/': ['STATE', 'TASK'],
  'gateway/endpoints/chat/': ['CHAT', 'SSE', 'EP', 'LIM', 'COMPA', 'COMPB'],
  'gateway/endpoints/images/': ['IMG', 'IMGM', 'faces'],
  'gateway/endpoints/tasks/': ['TASK', 'VID', 'SONG', 'AUD'],
  'gateway/errors/': ['ERR', 'COMPA', 'COMPB', 'AUTH'],
  'gateway/hooks/': ['BILL', 'AUTH', 'LIM'],
  'gateway/http/': ['EP', 'ERR', 'SSE', 'CHAT'],
  'gateway/media/': ['IMG', 'VID', 'AUD', 'MSG'],
  'gateway/log/': ['EP', 'BILL'],
  'gateway/money/': ['BILL', 'CACHE', 'LIM'],
  'gateway/openapi/': ['EP'],
  'gateway/outbound/': ['HOOK', 'IMG', 'VID', 'MSG'],
  'gateway/protocols/': ['RESP', 'SSE', 'COMPA', 'COMPB'],
  'gateway/protocols/chat-completions/': ['RESP', 'SSE', 'ERR'],
  'gateway/protocols/generate-content/': ['COMPB', 'faces'],
  'gateway/protocols/messages/': ['COMPA', 'faces'],
  'gateway/requests/': ['CHAT', 'MSG', 'TOOL', 'CACHE', 'LIM'],
  'gateway/requests/compat/': ['COMPA', 'COMPB', 'faces'],
  'gateway/requests/compat/generate-content/': ['COMPB', 'faces'],
  'gateway/requests/compat/messages/': ['COMPA', 'faces'],
  'gateway/requests/media/': ['IMG', 'VID', 'AUD', 'SONG'],
  'gateway/requests/native-body/': ['MSG', 'TOOL', 'CHAT', 'CACHE', 'IMG', 'VID', 'SONG'],
  'gateway/requests/native-body/generate-content/': ['MSG', 'TOOL', 'CHAT', 'COMPB'],
  'gateway/requests/native-body/messages/': ['MSG', 'TOOL', 'CHAT', 'CACHE', 'COMPA'],
  'gateway/routing/': ['ROUTE', 'ERR', 'faces'],
  'gateway/services/': ['CHAT', 'RESP', 'SSE', 'BILL'],
  'gateway/services/chat/': ['CHAT', 'RESP', 'SSE', 'ROUTE', 'BILL'],
  'gateway/services/images/': ['IMG', 'IMGM', 'BILL'],
  'gateway/services/media/': ['IMG', 'VID', 'AUD', 'SONG'],
  'gateway/services/tasks/': ['TASK', 'VID', 'SONG', 'AUD', 'STATE', 'BILL'],
  'gateway/store/': ['BILL', 'AUTH', 'LIM', 'TASK', 'HOOK'],
  'gateway/tasks/': ['TASK', 'STATE', 'VID', 'SONG', 'BILL'],
  'gateway/upstreams/': ['RESP', 'SSE', 'ROUTE', 'ERR', 'faults'],
  'gateway/upstreams/callback-jobs/': ['TASK', 'STATE', 'SONG', 'VID', 'AUD'],
  'gateway/upstreams/chat-completions/': ['RESP', 'SSE', 'CHAT', 'TOOL', 'faults'],
  'gateway/upstreams/generate-content/': ['RESP', 'SSE', 'TOOL', 'COMPB', 'faults'],
  'gateway/upstreams/images/': ['IMG', 'IMGM', 'faults'],
  'gateway/upstreams/jobs/': ['TASK', 'VID', 'STATE', 'faults'],
  'gateway/upstreams/media/': ['IMG', 'VID', 'TASK', 'faults'],
  'gateway/upstreams/messages/': ['RESP', 'SSE', 'TOOL', 'CACHE', 'COMPA', 'faults'],
  'gateway/upstreams/stop-sequences/': ['CHAT', 'RESP', 'SSE'],
  'gateway/webhooks/': ['HOOK', 'STATE'],
  'gateway/work/': ['HOOK', 'TASK', 'STATE'],
};

/** The areas whose checks look first at a file of the gateway; none for one that the table lacks. */
export function areasOf(file: string): readonly string[] {
  const beginnings = Object.keys(areasByPath).filter((path) => file.startsWith(path));
  const longest = beginnings.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? [] : (areasByPath[longest] ?? []);
}
