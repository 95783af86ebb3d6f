import { afterAll, beforeAll, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { FormatType } from "../../src/query/answer.ts";
import { FORMATS } from "../../src/query/parse-request.ts";
import type { Store } from "../../src/store/store.ts";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";

const FILES: ReadonlySet<FormatType> = new Set(["csv", "parquet", "arrow"]);

let sampled: Awaited<ReturnType<typeof openSampledQuery>>;
/** Statements that read tables of the store, and those that build a file from rows sent along. */
let [requested, made] = [0, 0];
const counting = (store: Store): Store => ({
  ...store,
  read: (statement, reading) => {
    if (reading?.sent === undefined) requested += 1;
    else made += 1;
    return store.read(statement, reading);
  },
});
beforeAll(async () => {
  sampled = await openSampledQuery();
});
afterAll(() => sampled.store.close());

// A store used alone computes boards once, not again each second.
test.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
  "%s is queried as often in every format as in raw",
  async (_name, dataset) => {
    const query = openTestQuery(counting(sampled.store), undefined, undefined, false, undefined, {
      isAlone: true,
    });
    const question = { params: SAMPLE_PARAMS[dataset.agentId] ?? {}, pagination: { limit: 2 } };
    const countOf = async (format: FormatType): Promise<readonly [number, number]> => {
      [requested, made] = [0, 0];
      await query.answer(dataset.agentId, { ...question, format });
      return [requested, made];
    };
    await countOf("typed");
    const [times] = await countOf("raw");
    if (dataset.query !== undefined) expect(times).toBe(1);
    for (const format of FORMATS.filter((one) => one !== "raw" && one !== "typed")) {
      expect(await countOf(format), format).toEqual([times, FILES.has(format) ? 1 : 0]);
    }
  },
);
