import { fileURLToPath } from "node:url";
import { startChild, type Started } from "./child-process.ts";

const MAIN = fileURLToPath(new URL("../../packages/exchange/src/main.ts", import.meta.url));

export type PaperExchange = Started & {
  /** Sets the pace of the world; the moment it is at and the pace it has. */
  readonly setSpeed: (speed: number) => Promise<{ readonly now_ms: number; readonly speed: number }>;
  readonly control: <T>(path: string) => Promise<T>;
  /** The settings that make the service gather from it. */
  readonly settings: Readonly<Record<string, string>>;
};

/** The paper exchanges as a process of their own. */
export async function startExchange(flags: readonly string[], nodeOptions: readonly string[]): Promise<PaperExchange> {
  const started = await startChild([MAIN, "serve", "--json", ...flags], process.env, nodeOptions);
  const { said } = started;
  const control = async <T>(path: string, body?: object): Promise<T> => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${said["control_url"]}${path}`, body === undefined ? {} : init);
    if (!response.ok) throw new Error(`the control door answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    ...started,
    control: (path) => control(path),
    setSpeed: (speed) => control("/clock", { speed }),
    settings: {
      POLYMARKET_GAMMA_URL: said["gamma_url"] ?? "",
      POLYMARKET_CLOB_URL: said["clob_url"] ?? "",
      POLYMARKET_DATA_URL: said["data_url"] ?? "",
      POLYMARKET_WS_URL: (said["ws_url"] ?? "").replace(/\/ws\/market$/, ""),
      ...(said["rtds_url"] === undefined ? {} : { POLYMARKET_RTDS_URL: said["rtds_url"] }),
      POLYGON_RPC_URL: said["rpc_url"] ?? "",
      BLUESKY_JETSTREAM_URL: said["jetstream_url"] ?? "",
      HN_URL: said["hn_url"] ?? "",
      GDELT_URL: said["gdelt_url"] ?? "",
      X_URL: said["x_url"] ?? "",
      X_BEARER_TOKEN: said["x_bearer_token"] ?? "",
      X_DAILY_USD: "5",
      KALSHI_URL: said["kalshi_url"] ?? "",
      KALSHI_WS_URL: said["kalshi_ws_url"] ?? "",
      KALSHI_KEY_ID: said["kalshi_key_id"] ?? "",
      KALSHI_PRIVATE_KEY: said["kalshi_private_key_pem"] ?? "",
    },
  };
}
