import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** A statement that the engine answered, with the engine's own count of rows. */
export type Listener = {
  readonly text: string;
  /** The longest list among its values. */
  readonly keys: number;
  readonly read: number;
  readonly returned: number;
};

type Message = {
  readonly request: { readonly path: string; readonly body: Buffer | string | null };
  readonly response: { readonly headers: readonly Buffer[] };
};

/** Listens to the client's replies, so that statements on a database are seen without the store's help. */
export function listenToStatements(database: string): { readonly take: () => Listener[]; readonly close: () => void } {
  let received: Listener[] = [];
  const receive = (message: unknown): void => {
    const { request, response } = message as Message;
    const requested = new URL(request.path, "http://engine").searchParams;
    if (requested.get("database") !== database) return;
    const at = response.headers.findIndex((one, index) => index % 2 === 0 && isSummary(one));
    if (at === -1) return;
    const summary = JSON.parse(String(response.headers[at + 1])) as { read_rows: string; result_rows: string };
    const text = requested.get("query") ?? String(request.body);
    const values = [...requested]
      .filter(([name]) => name.startsWith("param_"))
      .map(([, value]) => value.split(",").length);
    received.push({
      text,
      keys: Math.max(1, ...values),
      read: Number(summary.read_rows),
      returned: Number(summary.result_rows),
    });
  };
  subscribe("undici:request:headers", receive);
  return {
    take: () => {
      const taken = received;
      received = [];
      return taken;
    },
    close: () => void unsubscribe("undici:request:headers", receive),
  };
}

const isSummary = (header: Buffer): boolean => header.toString("latin1").toLowerCase() === "x-clickhouse-summary";
