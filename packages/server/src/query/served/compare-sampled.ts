import type { Store } from "../../store/store.ts";
import { forOthersToo } from "../question.ts";
import { sourcesOf } from "../tables-of.ts";
import type { PageBytes } from "../read-page.ts";
import type { ReadServed } from "./read-served.ts";

/** `asOf`: some of what was stored is not in it yet. */
export type ComparedPage = PageBytes & { readonly asOf: number | undefined };

/** What a page read both ways was: alike, not alike, or of tables that changed meanwhile. */
export type Compared = "equal" | "different" | "changed";

/** One page of so many is read from the engine too. */
const ONE_OF = 500;

type Comparing = {
  readonly store: Pick<Store, "stampOf">;
  readonly compared: (outcome: Compared, dataset: string) => void;
  readonly random?: () => number;
  /** Where a process gets changes a moment later: resolves when all that were made before have come. */
  readonly settle?: (() => Promise<void>) | undefined;
};

/**
 * Reads a page now and then from the engine as well, after its caller has been answered and one at a time, and tells
 * whether both are the same bytes: the index is derived, and nobody else would see that it is not what it should be.
 */
export function compareSampled<Page extends ComparedPage>(
  readServed: (...asked: Parameters<ReadServed>) => Promise<Page | undefined>,
  readEngine: (...asked: Parameters<ReadServed>) => Promise<PageBytes | undefined>,
  { store, compared, random = Math.random, settle }: Comparing,
): (...asked: Parameters<ReadServed>) => Promise<Page | undefined> {
  let isComparing = false;
  const compare = async (asked: Parameters<ReadServed>, body: Buffer, stamp: string): Promise<void> => {
    const [dataset, given] = asked;
    const page = await readEngine(...asked);
    // Too much to be read a second time.
    if (page === undefined) return;
    const isSame = (): boolean => store.stampOf(sourcesOf(dataset, given)) === stamp;
    if (page.body.equals(body)) return compared("equal", dataset.name);
    const isOther = isSame() && (settle === undefined || (await settle().then(() => differsStill(asked))));
    compared(isOther && isSame() ? "different" : "changed", dataset.name);
  };
  /** What was on its way is there by now. */
  const differsStill = async (asked: Parameters<ReadServed>): Promise<boolean> => {
    const served = await readServed(...asked);
    const body = served && Buffer.from(served.body);
    const page = body && (await readEngine(...asked));
    return page !== undefined && body?.equals(page.body) === false;
  };
  return async (...asked) => {
    const [dataset, given, { format }] = asked;
    const stamp = store.stampOf(sourcesOf(dataset, given));
    const served = await readServed(...asked);
    // Under the nulls of Arrow there may be any bytes.
    if (served === undefined || (served.asOf !== undefined && settle === undefined) || format === "arrow")
      return served;
    if (isComparing || random() * ONE_OF >= 1) return served;
    isComparing = true;
    // The engine may be away: then there is nothing to compare with.
    void forOthersToo(() => compare(asked, Buffer.from(served.body), stamp))
      .catch(() => undefined)
      .finally(() => (isComparing = false));
    return served;
  };
}
