import type { Logger } from "pino";
import { tables } from "../catalogue.ts";
import type { Config } from "../config.ts";
import { coolTables } from "../store/cold/cool-tables.ts";
import type { OpenStore } from "../store/open-store.ts";

/** Where the settings say so: old rows go to cheaper storage by themselves from now on. Throws Error without its policy. */
export async function coolOld(store: OpenStore, { cooling }: Config, log?: Logger): Promise<void> {
  if (cooling === undefined) return;
  const changed = await coolTables(store, tables, cooling);
  if (changed.length > 0)
    log?.info(
      { tables: changed, after_days: cooling.afterDays },
      "old rows of these tables go to cold storage from now on",
    );
}
