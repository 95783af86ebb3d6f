import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import type { Park } from "../feed/park.ts";

const DAY_MS = 86_400_000;
/** A changed upstream is asked again and again: a few alike pages a day tell as much as thousands. */
const ALIKE_A_DAY = 20;

/** Keeps pages of a wrong shape in the records. */
export function createPark(db: Kysely<RecordsSchema>, clock: Clock): Park {
  return async (page) => {
    const now = new Date(clock.now());
    const { alike } = await db
      .selectFrom("parked")
      .select((select) => select.fn.countAll<string>().as("alike"))
      .where("stream", "=", page.stream)
      .where("problem", "=", page.problem)
      .where("parked_at", ">", new Date(now.getTime() - DAY_MS))
      .executeTakeFirstOrThrow();
    if (Number(alike) >= ALIKE_A_DAY) return;
    await db
      .insertInto("parked")
      .values({ ...page, sample: storable(page.sample), body: storable(page.body), parked_at: now })
      .execute();
  };
}

/** PostgreSQL's text takes no NUL. */
function storable(text: string): string {
  return text.replaceAll("\u0000", "\u{fffd}");
}
