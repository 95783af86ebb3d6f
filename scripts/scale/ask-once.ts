import { Pool } from "undici";

const ENDPOINT = "/api/v2/semantic/retrieve/parameterized";
/** Longer than the service lets a question run would hide what hangs. */
const PATIENCE_MS = 10_000;
const CONNECT_MS = 2000;

export type Question = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit: number;
};

export type Answer = {
  /** Undefined for 200; the status, or "reset", "timeout". */
  readonly problem: string | undefined;
  readonly bytes: Buffer;
};

export type Door = {
  readonly name: string;
  readonly ask: (key: string, question: Question) => Promise<Answer>;
  readonly ready: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** One process of the service as a client reaches it. Never throws: what goes wrong is the answer's problem. */
export function openDoor(name: string, baseUrl: string): Door {
  const pool = new Pool(baseUrl, { connections: 64, connect: { timeout: CONNECT_MS } });
  const send = async (options: Parameters<Pool["request"]>[0]): Promise<Answer> => {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      const { statusCode, body } = await pool.request({ ...options, signal: patience });
      const bytes = Buffer.from(await body.arrayBuffer());
      return { problem: statusCode === 200 ? undefined : String(statusCode), bytes };
    } catch {
      return { problem: patience.aborted ? "timeout" : "reset", bytes: Buffer.alloc(0) };
    }
  };
  return {
    name,
    ask: (key, { agentId, params, limit }) =>
      send({
        path: ENDPOINT,
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ agent_id: agentId, params, pagination: { limit } }),
      }),
    ready: async () => (await send({ path: "/ready", method: "GET" })).problem === undefined,
    close: () => pool.destroy(),
  };
}
