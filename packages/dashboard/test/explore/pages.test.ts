import type { Answer, Coverage } from "@almanac/client";
import { describe, expect, it } from "vitest";
import { addPage, type Answered } from "../../src/explore/add-page.ts";

const REQUEST = { agentId: 556, params: {} };
const COMPLETE: Coverage = { complete: true, from: null, to: "2026-03-02T10:00:00.000Z", gaps: [], reasons: [] };
const gap = (to: string | null) => ({ from: "2026-03-02T09:00:00.000Z", to, reason: "the stream was away" });

const pageOf = (id: string, coverage: Coverage, warnings: readonly string[] = []): Answer => ({
  results: [{ id }],
  pagination: { limit: 1, offset: 0, hasMore: true, nextCursor: "c" },
  coverage,
  params: {},
  warnings,
  timestamp: "2026-03-02T10:00:00.000Z",
  requestId: `req_${id}`,
  rate: undefined,
});

const pageWithGap = (to: string | null): Answer => pageOf("a", { ...COMPLETE, complete: false, gaps: [gap(to)] });

describe("several pages of an answer", () => {
  it("are incomplete if any page is, with the reasons of all pages", () => {
    const open: Coverage = { ...COMPLETE, complete: false, gaps: [gap(null)], reasons: ["1 gap is there."] };
    const late: Coverage = { ...COMPLETE, to: "2026-03-02T10:02:00.000Z" };
    const pages = [
      pageOf("a", open, ["Rows may move."]),
      pageOf("b", late),
      pageOf("c", { ...open, reasons: ["1 gap is there.", "A stream is behind."] }, ["Rows may move.", "Slow."]),
    ];
    let answered: Answered | undefined;
    for (const [index, last] of pages.entries()) answered = addPage(answered, { request: REQUEST, last, ms: index });
    expect(answered).toMatchObject({ pages: 3, rows: [{ id: "a" }, { id: "b" }, { id: "c" }], ms: 2 });
    expect(answered?.last.requestId).toBe("req_c");
    expect(answered?.coverage).toEqual({
      complete: false,
      from: null,
      to: COMPLETE.to,
      gaps: [gap(null)],
      reasons: ["1 gap is there.", "A stream is behind."],
    });
    expect(answered?.warnings).toEqual(["Rows may move.", "Slow."]);
  });

  it("are complete if every page is", () => {
    const first = addPage(undefined, { request: REQUEST, last: pageOf("a", COMPLETE), ms: 1 });
    expect(addPage(first, { request: REQUEST, last: pageOf("b", COMPLETE), ms: 1 }).coverage).toEqual(COMPLETE);
  });

  it("keep a gap that has ended between two pages in both versions", () => {
    const first = addPage(undefined, { request: REQUEST, last: pageWithGap(null), ms: 1 });
    const last = pageWithGap("2026-03-02T10:01:00.000Z");
    expect(addPage(first, { request: REQUEST, last, ms: 1 }).coverage.gaps).toHaveLength(2);
  });
});
