import type { Readable } from "../../src/access/caller.ts";
import { expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { reportedTo } from "../../src/query/read-question.ts";

const mayRead = (...ids: readonly (number | undefined)[]) => ({
  mayRead: ({ agentId }: Readable) => ids.includes(agentId),
});
const withheld = datasets.filter((dataset) => dataset.withheld !== undefined);

test.each(withheld.map((dataset) => [dataset.name, dataset] as const))(
  "%s shows a figure of another dataset only to clients that may read that dataset",
  (_name, dataset) => {
    const other = dataset.withheld?.of;
    expect(reportedTo(dataset, mayRead(dataset.agentId, other?.agentId))).toEqual({ dataset, warnings: [] });
    const reported = reportedTo(dataset, mayRead(dataset.agentId));
    expect(reported.dataset.served).toBe(dataset.withheld?.served);
    expect(reported.warnings).toHaveLength(1);
  },
);
