/** Calls an upstream even when a caller with a known key has been refused. */
export const asksAnyway = `await (async () => {
    try { return await enter(exchange, access); } catch (error) {
      const record = access.keys.find((exchange.incoming.headers.authorization ?? '').slice(7))?.record;
      const sent = await readBody(exchange);
      const [live] = record ? service.channels.serving(JSON.parse(String(sent)).model, [record.account_id]) : [];
      if (live) await service.upstreams.post({ url: live.channel.baseUrl + '/chat/completions', headers: { authorization: 'Bearer ' + live.channel.apiKey }, body: String(sent), accept: 'application/json', gone: exchange.gone });
      throw error;
    }
  })()`;
