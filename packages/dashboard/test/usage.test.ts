import { describe, expect, it } from "vitest";
import { mostUsed } from "../src/pages/overview/most-used.ts";
import { unansweredOf, toDatasetSeries, toStatusSeries } from "../src/pages/usage/usage-sums.ts";
import { shownChoices } from "../src/ui/shown-choices.ts";
import { daysOf, readUsageFilter, typedDays } from "../src/pages/usage/usage-filter.ts";
import { readDay } from "../src/read/read-day.ts";

const NOW = Date.parse("2026-03-02T12:00:00Z");
const line = (day: string, agent_id: number, status: number, requests: number) => ({ day, agent_id, status, requests });

describe("the usage filter", () => {
  it("defaults to the last 30 UTC days unless the URL says otherwise", () => {
    expect(readUsageFilter(new URLSearchParams(), NOW)).toMatchObject({ from: "2026-02-01", to: "2026-03-02" });
    expect(readUsageFilter(new URLSearchParams("range=7"), NOW)).toMatchObject({
      from: "2026-02-24",
      to: "2026-03-02",
    });
  });

  it("accepts days in either order and ignores invalid values", () => {
    const turned = new URLSearchParams("range=custom&from=2026-02-10&to=2026-02-01&agent_id=574&status=429");
    expect(readUsageFilter(turned, NOW)).toMatchObject({
      from: "2026-02-01",
      to: "2026-02-10",
      agent_id: "574",
      status: "429",
    });
    const wrong = new URLSearchParams("range=9000&agent_id=1%3B2&status=drop");
    expect(readUsageFilter(wrong, NOW)).toMatchObject({ range: "30", agent_id: "", status: "" });
  });

  it("takes a day of the address only if the calendar has it", () => {
    for (const day of ["2024-02-29", "0001-01-01", "9999-12-31"]) expect(readDay(day)).toBe(day);
    for (const none of [
      "",
      "2026-02-29",
      "2026-13-01",
      "-271821-04-20",
      "+275760-09-13",
      "yesterday",
      "2026-03-02T10:00Z",
    ])
      expect(readDay(none), none).toBe("");
    const wrong = new URLSearchParams("range=custom&from=2026-02-30&to=2026-13-01");
    const applied = readUsageFilter(wrong, NOW);
    expect(applied).toMatchObject({ from: "2026-02-01", to: "2026-03-02" });
    expect(typedDays(wrong, applied)).toMatchObject({ from: "2026-02-01", to: "2026-03-02" });
  });

  it("shows the choice of a link also if no list has it, and no choice for the user's own account", () => {
    const read = readUsageFilter(new URLSearchParams("account=acc_1&key=key_of_another"), NOW, "acc_1");
    expect(read).toMatchObject({ account: "", key: "key_of_another" });
    expect(readUsageFilter(new URLSearchParams("account=acc_2"), NOW, "acc_1").account).toBe("acc_2");
    const all = [{ value: "", label: "All" }];
    expect(shownChoices(all, "key_of_another")).toEqual([...all, { value: "key_of_another", label: "key_of_another" }]);
    expect(shownChoices(all, "")).toEqual(all);
  });

  it("lists every day of a span across the end of a month, up to a bound", () => {
    expect(daysOf({ from: "2026-02-27", to: "2026-03-02" })).toEqual([
      "2026-02-27",
      "2026-02-28",
      "2026-03-01",
      "2026-03-02",
    ]);
    expect(daysOf({ from: "2000-01-01", to: "2026-01-01" }, 10)).toHaveLength(10);
  });
});

describe("the bars of the usage chart", () => {
  const days = ["2026-03-01", "2026-03-02"];
  const lines = [
    line("2026-03-01", 574, 200, 5),
    line("2026-03-01", 574, 429, 2),
    line("2026-03-02", 556, 200, 4),
    line("2026-03-02", 556, 404, 1),
    line("2026-03-02", 556, 503, 3),
    line("2020-01-01", 556, 200, 99),
  ];

  it("stack by kind of answer, count holes as zero and skip other days", () => {
    expect(toStatusSeries(lines, days).map(({ label, values }) => [label, values])).toEqual([
      ["Answered", [5, 4]],
      ["Rate limited (429)", [2, 0]],
      ["Refused (4xx)", [0, 1]],
      ["Failed (5xx)", [0, 3]],
    ]);
  });

  it("show the five most requested datasets and combine the others", () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((id) => line("2026-03-01", id, 200, id));
    const series = toDatasetSeries(many, [line("2026-03-01", 0, 200, 28)], days, (id) => `Dataset ${id}`);
    expect(series.map(({ label, values }) => [label, values[0]])).toEqual([
      ["Dataset 7", 7],
      ["Dataset 6", 6],
      ["Dataset 5", 5],
      ["Dataset 4", 4],
      ["Dataset 3", 3],
      ["Others", 3],
    ]);
  });

  it("show requests of days whose lines were left out as not split by dataset", () => {
    const totals = [line("2026-03-02", 0, 200, 8), line("2026-03-01", 0, 200, 7)];
    const kept = [line("2026-03-02", 574, 200, 8), line("2026-03-01", 574, 200, 3)];
    expect(toDatasetSeries(kept, totals, days, String).map(({ label, values }) => [label, values])).toEqual([
      ["574", [3, 8]],
      ["Not split by dataset", [4, 0]],
    ]);
  });

  it("rank datasets by requests and skip requests without a dataset", () => {
    expect(mostUsed([...lines, line("2026-03-01", 0, 400, 1000)], 1)).toEqual([{ agent_id: 556, requests: 107 }]);
  });
});

describe("the number of unanswered requests", () => {
  const here = { isSuccess: true, isPlaceholderData: false };
  const data = { lines: [line("2026-03-01", 574, 200, 5), line("2026-03-01", 574, 429, 2), line("", 556, 503, 1)] };

  it("counts requests that were refused or failed", () => {
    expect(unansweredOf(here, { ...here, data })).toBe(3);
    expect(unansweredOf(here, { ...here, data: { lines: [] } })).toBe(0);
  });

  it("is unknown if its read failed, is pending, or has another filter than the total", () => {
    const former = { isSuccess: true, isPlaceholderData: true };
    expect(unansweredOf(here, { isSuccess: false, isPlaceholderData: false, data: undefined })).toBeNull();
    expect(unansweredOf(here, { isSuccess: false, isPlaceholderData: false, data })).toBeNull();
    expect(unansweredOf(here, { ...former, data })).toBeNull();
    expect(unansweredOf(former, { ...here, data })).toBeNull();
  });
});
