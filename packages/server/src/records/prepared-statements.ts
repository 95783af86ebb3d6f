import { parse, protocol, type PGlite, type Results } from "@electric-sql/pglite";

const { serialize } = protocol;

/** How statements begin that are asked again and again. */
const KEPT = /^\s*(select|with|insert|update|delete|begin|start|commit|rollback)\b/i;
/** What may change the columns of an answer that is known. */
const SCHEMA = /^\s*(create|alter|drop)\b/i;
const MOST_KEPT = 256;
/** A plan that was kept would stay the one of an empty table: nothing here analyses tables and has them planned anew. */
export const PLANNED_ANEW = ["-c", "plan_cache_mode=force_custom_plan"];

type Messages = Awaited<ReturnType<PGlite["execProtocol"]>>["messages"];
type Prepared = { readonly name: string; readonly parameters: readonly number[]; readonly columns: Messages };
type Asked = (text: string, parameters: readonly unknown[]) => Promise<Results<Record<string, unknown>>>;

/**
 * Statements of one PGlite, each prepared when it is first asked: then it is neither parsed nor described again, and it
 * is one call into WebAssembly in place of six. The least recently asked of more than 256 is closed.
 */
export function preparedStatements(pglite: PGlite): Asked {
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
      if (kept.size < MOST_KEPT) break;
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
    const messages = await send([serialize.bind({ statement: found.name, values }), serialize.execute({})]);
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
