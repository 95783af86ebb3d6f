import type { Store } from "../../store/store.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { forOthersToo } from "../query-engine.ts";
import { sourcesOf } from "../requested-of.ts";
import type { PageBytes } from "../read-page.ts";
import type { ReadServed } from "./read-served.ts";

/** `asOf`: set if some stored rows are not in it yet. */
export type ComparedPage = PageBytes & { readonly asOf: number | undefined };

/** Result of reading a page both ways: equal, different, or its tables changed meanwhile. */
export type Compared = "equal" | "different" | "changed";

/** The offset (bytes) at which two pages begin to differ, and an excerpt of each from around there. */
export type Difference = { readonly at: number; readonly index: string; readonly engine: string };
/** Called with the result of a comparison; a difference includes where it begins. */
export type NoteCompared = (outcome: Compared, dataset: string, difference?: Difference) => void;

const BEFORE_BYTES = 80;
const SHOWN_BYTES = 240;

/** One page in this many is read from the engine too. */
const ONE_OF = 500;

type Comparing = {
  readonly store: Pick<Store, "stampOf" | "unchangedMs">;
  /** Once a table has been unchanged this long, dictionaries built from it have been reloaded. */
  readonly dictionaryMs: number;
  readonly compared: NoteCompared;
  readonly random?: () => number;
  /** Resolves once all earlier changes have arrived: the engine shows rows before their change is reported. */
  readonly settle: () => Promise<void>;
  /** Changes come from another process, so a page may always lack some. */
  readonly isFollowing: boolean;
};

function differenceOf(index: Buffer, engine: Buffer): Difference {
  const found = index.findIndex((byte, place) => byte !== engine[place]);
  const at = found < 0 ? index.length : found;
  const from = Math.max(0, at - BEFORE_BYTES);
  const shown = (page: Buffer): string => page.toString("utf8", from, from + SHOWN_BYTES);
  return { at, index: shown(index), engine: shown(engine) };
}

/**
 * Samples pages and reads them from the engine as well, after the caller has been answered and one at a time, and
 * reports whether the bytes are equal: the index is derived data, and nothing else would detect that it is wrong.
 */
export function compareSampled<Page extends ComparedPage>(
  readServed: (...requested: Parameters<ReadServed>) => Promise<Page | undefined>,
  readEngine: (...requested: Parameters<ReadServed>) => Promise<PageBytes>,
  { store, compared, random = Math.random, settle, isFollowing, dictionaryMs }: Comparing,
): (...requested: Parameters<ReadServed>) => Promise<Page | undefined> {
  let isComparing = false;
  const isRead = (table: TableDefinition): boolean =>
    table.dictionary === undefined || store.unchangedMs([table]) >= dictionaryMs;
  const compare = async (requested: Parameters<ReadServed>, body: Buffer, stamp: number): Promise<void> => {
    const [dataset, given] = requested;
    const page = await readEngine(...requested);
    const sources = sourcesOf(dataset, given);
    const isSame = (): boolean => store.stampOf(sources) === stamp && sources.every(isRead);
    if (page.body.equals(body)) return compared("equal", dataset.name);
    const isOther = isSame() && (await settle().then(() => differsStill(requested)));
    if (isOther && isSame()) compared("different", dataset.name, differenceOf(body, page.body));
    else compared("changed", dataset.name);
  };
  const isWhole = ({ asOf }: Page): boolean => isFollowing || asOf === undefined;
  /** Compares again after changes in transit have arrived. */
  const differsStill = async (requested: Parameters<ReadServed>): Promise<boolean> => {
    const served = await readServed(...requested);
    const body = served && isWhole(served) ? Buffer.from(served.body) : undefined;
    const page = body && (await readEngine(...requested));
    return page !== undefined && body?.equals(page.body) === false;
  };
  return async (...requested) => {
    const [dataset, given, { format }] = requested;
    const stamp = store.stampOf(sourcesOf(dataset, given));
    const served = await readServed(...requested);
    // Arrow leaves the bytes beneath nulls undefined, so equal pages may differ.
    if (served === undefined || !isWhole(served) || format === "arrow") return served;
    if (isComparing || random() * ONE_OF >= 1) return served;
    isComparing = true;
    // The engine may be unavailable: then there is nothing to compare with.
    void forOthersToo(() => compare(requested, Buffer.from(served.body), stamp))
      .catch(() => undefined)
      .finally(() => (isComparing = false));
    return served;
  };
}
