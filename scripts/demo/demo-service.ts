import { randomBytes } from "node:crypto";
import { makeKey, reportService } from "../service/report-service.ts";

/**
 * For a laptop with other work: half a minute of backfill makes V8 keep 130 MB for short-lived values and the C library
 * keep one arena per thread permanently, of which an idle service needs a fraction.
 */
export const SERVICE_FLAGS: readonly string[] = ["--max-semi-space-size=16"];
export const SERVICE_ENV: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: "2",
  // Fixed: by default the C library raises it to the largest block freed, and such blocks then stay in its heap.
  MALLOC_MMAP_THRESHOLD_: "262144",
  MALLOC_TRIM_THRESHOLD_: "262144",
};

export type Operator = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  /** Key in compatible mode. */
  readonly compatibleKey: string;
};

/**
 * Creates an account whose owner is the operator of the service, with a new password and new keys. In a kept folder the
 * account exists already: its password is changed, since the old one is unknown.
 */
export async function makeOperator(env: NodeJS.ProcessEnv): Promise<Operator> {
  const email = "admin@almanac.invalid";
  const password = randomBytes(15).toString("base64url");
  const account = ["--name", "demo", "--email", email, "--plan", "enterprise", "--operator"];
  const withPassword = (...args: string[]) => reportService([...args, "--password-stdin", "--json"], env, password);
  await withPassword("account", "create", ...account).catch(async (error: unknown) => {
    if (!(error instanceof Error) || !/already|taken|conflict/i.test(error.message)) throw error;
    await withPassword("user", "password", email);
  });
  const key = await makeKey(env, email, "--name", "demo");
  const compatibleKey = await makeKey(env, email, "--name", "demo-compatible", "--mode", "compatible");
  return { email, password, key, compatibleKey };
}

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
