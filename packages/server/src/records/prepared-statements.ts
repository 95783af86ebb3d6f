import { parse, protocol, type PGlite, type Results } from "@electric-sql/pglite";

const { serialize } = protocol;

/** Statements worth preparing, by their first word. */
const KEPT = /^\s*(select|with|insert|update|delete|begin|start|commit|rollback)\b/i;
/** Schema changes, after which a statement may have other columns. */
const SCHEMA = /^\s*(create|alter|drop)\b/i;
const MAX_KEPT = 256;
/** A generic plan made while a table was empty would stay: without autovacuum nothing invalidates it. */
export const CUSTOM_PLANS = ["-c", "plan_cache_mode=force_custom_plan"];

type Messages = Awaited<ReturnType<PGlite["execProtocol"]>>["messages"];
type Prepared = { readonly name: string; readonly parameters: readonly number[]; readonly columns: Messages };
type Ask = (text: string, parameters: readonly unknown[]) => Promise<Results<Record<string, unknown>>>;

/**
 * Runs statements on PGlite, each prepared at its first use: later runs skip parsing and description, and take one call
 * into WebAssembly instead of six. At most 256 stay prepared, with the least recently used evicted first; a failed one
 * is prepared again.
 */
export function preparedStatements(pglite: PGlite): Ask {
  const kept = new Map<string, Prepared>();
  const closing: string[] = [];
  let made = 0;

  const send = async (messages: readonly Uint8Array[]): Promise<Messages> =>
    (await pglite.execProtocol(Buffer.concat([...messages, serialize.sync()]))).messages;

  const forget = (text: string): void => {
    const found = kept.get(text);
    if (found) closing.push(found.name);
    kept.delete(text);
  };

  const prepare = async (text: string): Promise<Prepared> => {
    for (const oldest of kept.keys()) {
      if (kept.size < MAX_KEPT) break;
      forget(oldest);
    }
    const closed = closing.splice(0).map((name) => serialize.close({ type: "S", name }));
    made += 1;
    const name = `s${made}`;
    const parsed = [serialize.parse({ text, name }), serialize.describe({ type: "S", name })];
    const messages = await send([...closed, ...parsed]);
    const columns = messages.filter((message) => message.name === "rowDescription");
    return { name, parameters: parse.parseDescribeStatementResults(messages), columns };
  };

  return async (text, parameters) => {
    if (SCHEMA.test(text)) for (const known of kept.keys()) forget(known);
    if (!KEPT.test(text)) return pglite.query<Record<string, unknown>>(text, [...parameters]);
    const found = kept.get(text) ?? (await prepare(text));
    kept.delete(text);
    kept.set(text, found);
    const values = parameters.map((value, place) => toText(pglite, value, found.parameters[place]));
    const bound = [serialize.bind({ statement: found.name, values }), serialize.execute({})];
    const messages = await send(bound).catch((error: unknown) => {
      forget(text);
      throw error;
    });
    const [result] = parse.parseResults([...found.columns, ...messages], pglite.parsers);
    if (result === undefined) throw new Error("the control records gave no result");
    return result;
  };
}

function toText(pglite: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null;
  const write = type === undefined ? undefined : pglite.serializers[type];
  return write === undefined ? String(value) : write(value);
}
