type Row = Record<string, unknown>;
type Requested = { readonly baseUrl: string; readonly key: string };
type Params = Readonly<Record<string, string>>;

const none = (): Params => ({});

/** Polls until each of the first datasets has rows; `reported` is called for each that does. */
export async function waitForRows(requested: Requested, reported: (agentId: number) => void): Promise<void> {
  const first = async (agentId: number, params: () => Params | Promise<Params>): Promise<Row> => {
    const row = await firstRow(requested, agentId, params);
    reported(agentId);
    return row;
  };
  // Newest token at each try: a market that is over has no book any more.
  const newestToken = async (): Promise<Params> => ({
    token_id: String((await firstRow(requested, 556, none))["token_id"]),
  });
  await first(574, none);
  await first(565, none);
  await first(556, none);
  const kalshi = await first(573, () => ({ start_time: "2020-01-01" }));
  const ticker = String(kalshi["ticker"]);
  await Promise.all([first(568, newestToken), first(572, newestToken), first(1102, () => ({ ticker }))]);
}

async function firstRow(
  { baseUrl, key }: Requested,
  agentId: number,
  params: () => Params | Promise<Params>,
): Promise<Row> {
  for (;;) {
    const response = await fetch(`${baseUrl}/api/v2/semantic/retrieve/parameterized`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ agent_id: agentId, params: await params(), pagination: { limit: 1 } }),
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
