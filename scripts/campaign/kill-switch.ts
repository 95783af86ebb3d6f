import { channel } from "node:diagnostics_channel";
import type { Engines } from "../../packages/server/src/main/open-engines.ts";

/**
 * Where a process ends itself by kill -9, counted from its start. `copies_without_table`: a batch stands in a further
 * sort order and not in the table; `inside_insert`: the statement is sent and not answered; `before_cursor`: the rows
 * are stored, the cursor is not.
 */
export type KillSwitch = {
  readonly at: "inside_insert" | "copies_without_table" | "before_cursor";
  readonly nth: number;
};

type Message = { readonly request: { readonly body?: unknown } };

const PUBLISHING = /^INSERT INTO (\w+) SELECT \* FROM fresh_/;
const TO_A_COPY = /^INSERT INTO \w+_by_\w+ SELECT \* FROM fresh_/;

const die = (): void => void process.kill(process.pid, "SIGKILL");

/** Has the process end itself at that place. The statements are watched where the HTTP client tells of them. */
export function armKillSwitch({ at, nth }: KillSwitch, engines: Engines): Engines {
  if (at === "before_cursor") return dyingAfterInsert(engines, nth);
  const isInside = at === "inside_insert";
  const pattern = isInside ? PUBLISHING : TO_A_COPY;
  let seen = 0;
  const watched = channel(isInside ? "undici:request:bodySent" : "undici:request:trailers");
  watched.subscribe((message) => {
    const { body } = (message as Message).request;
    if (!Buffer.isBuffer(body) || !pattern.test(body.toString("utf8", 0, 200))) return;
    seen += 1;
    if (seen === nth) die();
  });
  return engines;
}

/** The rows of the nth batch that brought something are stored; nobody has heard of it yet. */
function dyingAfterInsert(engines: Engines, nth: number): Engines {
  let seen = 0;
  const { store } = engines;
  const insert: typeof store.insert = async (table, rows, mode) => {
    const inserted = await store.insert(table, rows, mode);
    if (inserted.stored > 0) seen += 1;
    if (seen === nth) die();
    return inserted;
  };
  return { ...engines, store: { ...store, insert } };
}
