import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../store/store.ts";
import { sourcesOf } from "../tables-of.ts";
import type { PageBytes } from "../read-page.ts";
import type { ReadServed, ServedPage } from "./read-served.ts";

/** What a page read both ways was: alike, not alike, or of tables that changed meanwhile. */
export type Compared = "equal" | "different" | "changed";

/** One page of so many is read from the engine too. */
const ONE_OF = 500;
/** Another process may tell so late of what was stored. */
const TOLD_MS = 250;

/**
 * Reads a page now and then from the engine as well, after its caller has been answered and one at a time, and tells
 * whether both are the same bytes: the index is derived, and nobody else would see that it is not what it should be.
 */
export function compareSampled<Page extends ServedPage>(
  readServed: (...asked: Parameters<ReadServed>) => Promise<Page | undefined>,
  readEngine: (...asked: Parameters<ReadServed>) => Promise<PageBytes | undefined>,
  store: Pick<Store, "stampOf">,
  compared: (outcome: Compared, dataset: string) => void,
  random: () => number = Math.random,
  toldOf: () => Promise<unknown> = () => sleep(TOLD_MS),
): (...asked: Parameters<ReadServed>) => Promise<Page | undefined> {
  let isComparing = false;
  const compare = async (asked: Parameters<ReadServed>, body: Buffer, stamp: string): Promise<void> => {
    const [dataset, given] = asked;
    const page = await readEngine(...asked);
    // Too much to be read a second time.
    if (page === undefined) return;
    if (page.body.equals(body)) return compared("equal", dataset.name);
    // What the engine had may be told of only now.
    await toldOf();
    const isSame = store.stampOf(sourcesOf(dataset, given)) === stamp;
    compared(isSame ? "different" : "changed", dataset.name);
  };
  return async (...asked) => {
    const [dataset, given, { format }] = asked;
    const stamp = store.stampOf(sourcesOf(dataset, given));
    const served = await readServed(...asked);
    // Under the nulls of Arrow there may be any bytes.
    if (served === undefined || served.asOf !== undefined || format === "arrow") return served;
    if (isComparing || random() * ONE_OF >= 1) return served;
    isComparing = true;
    // The engine may be away: then there is nothing to compare with.
    void compare(asked, Buffer.from(served.body), stamp)
      .catch(() => undefined)
      .finally(() => (isComparing = false));
    return served;
  };
}
