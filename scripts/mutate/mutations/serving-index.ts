import type { Mutation } from "../mutation.ts";

/** What is answered from rows by their keys. */
export const SERVING_INDEX: readonly Mutation[] = [
  {
    id: "row-of-two-trees-twice",
    area: "serving index",
    file: "serving/page.ts",
    find: "    if (isDoubled && lastRows !== undefined && compareRows(rows, at, lastRows, lastAt) === 0) return true;\n",
    replace: "",
    breaks: "a row found under both of two columns is returned twice",
    tests: ["serving/transfers-between.test.ts", "serving/datasets.test.ts"],
  },
  {
    id: "end-left-out",
    area: "serving index",
    file: "serving/page.ts",
    find: "ends.push(identityBefore(layout, to + 1));",
    replace: "ends.push(identityBefore(layout, to));",
    breaks: "rows of the last second of a range are missing",
    tests: ["serving/model.test.ts"],
  },
  {
    id: "older-version-wins",
    area: "serving index",
    file: "serving/edits.ts",
    find: "versionOf(rows, at) < versionOf(...old)) continue;",
    replace: "versionOf(rows, at) > versionOf(...old)) continue;",
    breaks: "a figure that was derived again keeps its old value",
    tests: ["serving/keyed-tables.test.ts", "serving/layouts.test.ts", "serving/derived.test.ts"],
  },
  {
    id: "taken-away-forgotten",
    area: "serving index",
    file: "serving/feed/follow-index.ts",
    find: "      this.#left = mergeSpans([...taken, ...this.#left]);\n",
    replace: "",
    breaks: "deleted rows stay in the index if applying failed once",
    tests: ["serving/follow-index.test.ts", "serving/feed.test.ts"],
  },
  {
    id: "first-row-unseen",
    area: "serving index",
    file: "serving/reader.ts",
    find: "    if (key === undefined) this.#readSet?.invalidate();\n",
    replace: "",
    breaks: "an empty answer is served again although the wallet now has its first row",
    tests: ["serving/read-set.test.ts", "serving/oracle.test.ts"],
  },
];
