import { Pool } from "undici";
import { newKey } from "../../../packages/server/src/access/find.ts";
import { bodyOf } from "../ask-question.ts";
import { addressOf, type Got, type Target } from "./target.ts";
import { countsOf, statusOf } from "./paying.ts";

const CONNECTIONS = 64;
const BODY = bodyOf(556, {}, 100);

/** Sends unissued keys as fast as they are answered; every second one has a valid checksum and must be looked up. */
export async function flood({ baseUrl }: Target, signal: AbortSignal): Promise<Got> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1, localAddress: addressOf("strangers") });
  const got: string[] = [];
  let turn = 0;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const key = turn++ % 2 === 0 ? newKey() : "alm_live_nobody";
      got.push(await statusOf(pool, key, BODY));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  await pool.destroy();
  return countsOf(got);
}
