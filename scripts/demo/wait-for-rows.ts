type Row = Record<string, unknown>;
type Asked = { readonly baseUrl: string; readonly key: string };

/** Asks until each of the first datasets has rows; `told` hears of each that does. */
export async function waitForRows(asked: Asked, told: (agentId: number) => void): Promise<void> {
  const first = async (agentId: number, params: Record<string, string>): Promise<Row> => {
    const row = await firstRow(asked, agentId, params);
    told(agentId);
    return row;
  };
  await first(574, {});
  await first(565, {});
  const trade = await first(556, {});
  const token = { token_id: String(trade["token_id"]) };
  const kalshi = await first(573, { start_time: "2020-01-01" });
  await Promise.all([first(568, token), first(572, token), first(1102, { ticker: String(kalshi["ticker"]) })]);
}

async function firstRow({ baseUrl, key }: Asked, agentId: number, params: Record<string, string>): Promise<Row> {
  for (;;) {
    const response = await fetch(`${baseUrl}/api/v2/semantic/retrieve/parameterized`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ agent_id: agentId, params, pagination: { limit: 1 } }),
    });
    if (response.ok) {
      const body = (await response.json()) as { data: { results: Row[] } };
      const [row] = body.data.results;
      if (row) return row;
    } else if (response.status !== 429 && response.status !== 503) {
      throw new Error(`agent_id ${agentId} answered ${response.status}: ${await response.text()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
