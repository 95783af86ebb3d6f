import { describe, expect, it } from "vitest";
import { cellLink, cellText, readJson, wholeText } from "../../src/explore/cells.ts";
import {
  dayFromTimestamp,
  isoFromLocal,
  localFromTimestamp,
  timeInZone,
  timestampMs,
} from "../../src/explore/params.ts";
import { showTimestamp } from "../../src/read/value-text.ts";
import { sortRows } from "../../src/ui/use-sort.ts";
import { columnOf, sortedColumnOf } from "./dataset-of.ts";

const sorted = (wire: string, values: readonly unknown[], isDescending = false) =>
  sortRows(
    values.map((value) => ({ x: value })),
    sortedColumnOf("x", wire),
    isDescending,
  ).map((row) => row["x"]);

describe("sortRows", () => {
  it("compares decimal strings by value, exact to the last digit", () => {
    const values = ["10.5", "9.75", "-3", "123456789012345678.1", "123456789012345678.2", "0.30", "-12"];
    expect(sorted("dec(6)", values)).toEqual([
      "-12",
      "-3",
      "0.30",
      "9.75",
      "10.5",
      "123456789012345678.1",
      "123456789012345678.2",
    ]);
  });

  it("puts null last in both directions", () => {
    expect(sorted("num", [null, 2, 1])).toEqual([1, 2, null]);
    expect(sorted("num", [1, null, 2], true)).toEqual([2, 1, null]);
  });

  it("orders timestamps of different precision", () => {
    const values = ["2026-11-20T10:00:00.5Z", "2026-11-20T10:00:00Z", "2026-11-20T09:59:59.999Z"];
    expect(sorted("iso", values)).toEqual([values[2], values[1], values[0]]);
  });

  it("orders token ids numerically, hashes as text, words as readers do, lists by length", () => {
    expect(sorted("id", ["100", "20", "3"])).toEqual(["3", "20", "100"]);
    expect(sorted("id", ["0xb", "0xa"])).toEqual(["0xa", "0xb"]);
    expect(sorted("text", ["item 10", "Item 9"])).toEqual(["Item 9", "item 10"]);
    expect(sorted("list", [["a", "b"], ["c"]])).toEqual([["c"], ["a", "b"]]);
    expect(sorted("flag", [true, false])).toEqual([false, true]);
  });

  it("keeps the order of equal rows, and returns the rows unchanged without a sort column", () => {
    const rows = [
      { x: 1, n: "a" },
      { x: 1, n: "b" },
    ];
    expect(sortRows(rows, sortedColumnOf("x", "num"), true)).toEqual(rows);
    expect(sortRows(rows, undefined, false)).toBe(rows);
  });
});

describe("a cell", () => {
  it("shows figures with all their digits", () => {
    expect(cellText("1234567.890000", columnOf("x", "dec(6)"))).toBe("1,234,567.890000");
    expect(cellText(0.1, columnOf("x", "num"))).toBe("0.1");
    expect(cellText(1e-9, columnOf("x", "num"))).toBe("0.000000001");
    for (const small of [1.2345678901234566e-7, -9.87654321e-12, 1.5e-7])
      expect(Number(cellText(small, columnOf("x", "num")).replace("−", "-")), String(small)).toBe(small);
    expect(cellText(null, columnOf("x", "num"))).toBe("–");
    expect(cellText(false, columnOf("x", "flag"))).toBe("no");
  });

  it("shows JSON abbreviated, and its complete text on demand", () => {
    const levels = '[{"size":"5","price":"0.51"},{"size":"7","price":"0.50"}]';
    expect(cellText(levels, columnOf("x", "json string"))).toBe("2: 5 @ 0.51, 7 @ 0.50");
    expect(cellText(["a", "b"], columnOf("x", "list"))).toBe("2: a, b");
    expect(cellText("[]", columnOf("x", "json string"))).toBe("none");
    expect(cellText("{broken", columnOf("x", "json string"))).toBe("{broken");
    expect(readJson(levels)).toHaveLength(2);
    expect(wholeText({ a: 1 })).toBe('{"a":1}');
    expect(wholeText(null)).toBe("");
  });

  it("abbreviates long ids to their ends, and shows short ones in full", () => {
    expect(cellText(`0x${"ab".repeat(32)}`, columnOf("x", "id"))).toBe("0xababab…ababab");
    expect(cellText("KXNBAGAME-25APR19DETNYK-NYK", columnOf("x", "id"))).toBe("KXNBAGAME-25APR19DETNYK-NYK");
  });

  it("leaves hostile text as plain text", () => {
    const text = '<img src=x onerror="alert(1)">';
    expect(cellText(text, columnOf("x", "text"))).toBe(text);
    expect(cellText("x".repeat(5000), columnOf("x", "text"))).toHaveLength(301);
  });

  const wallet = `0x${"ab".repeat(20)}`;
  it.each([
    ["proxy_wallet", wallet, `/wallets/${wallet}`],
    ["address", wallet, `/wallets/${wallet}`],
    ["from_wallet", wallet, `/wallets/${wallet}`],
    ["condition_id", `0x${"ab".repeat(32)}`, `/markets/polymarket/0x${"ab".repeat(32)}`],
    ["side_a_token_id", "1".repeat(77), `/books/polymarket/${"1".repeat(77)}`],
    ["ticker", "KXNBAGAME-25APR19DETNYK-NYK", "/markets/kalshi/KXNBAGAME-25APR19DETNYK-NYK"],
    ["proxy_wallet", "javascript:alert(1)", undefined],
    ["ticker", "../../keys", undefined],
    ["question", wallet, undefined],
    ["condition_id", null, undefined],
  ])("in column %s with value %s links to %s", (column, value, to) => {
    expect(cellLink(column, value)).toBe(to);
  });
});

describe("timestamps", () => {
  it("are converted from local time to ISO and back in any time zone", () => {
    const iso = isoFromLocal("2026-11-20T10:30");
    expect(iso).toMatch(/^2026-11-\d\dT\d\d:\d\d:00Z$/);
    expect(localFromTimestamp(iso ?? "")).toBe("2026-11-20T10:30");
    expect(isoFromLocal("soon")).toBeUndefined();
  });

  it.each([
    ["1763634600", 1_763_634_600_000],
    ["1763634600123", 1_763_634_600_123],
    ["2025-11-20T10:30:00Z", 1_763_634_600_000],
    ["2025-11-20 10:30:00", 1_763_634_600_000],
    ["2025-11-20", 1_763_596_800_000],
    ["tomorrow", undefined],
    ["2025-02-30T10:00:00Z", undefined],
    ["12", undefined],
  ])("are parsed: %s is %s", (text, ms) => {
    expect(timestampMs(text)).toBe(ms);
  });

  it("are picked as UTC days where the service takes days, west of UTC too", () => {
    const zone = process.env["TZ"];
    try {
      process.env["TZ"] = "America/New_York";
      expect(["2025-11-20", "1763634600", "soon"].map(dayFromTimestamp)).toEqual(["2025-11-20", "2025-11-20", ""]);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  it("are shown in the user's zone, but not a day alone, of which the service may take the start or the end", () => {
    expect(timeInZone("2025-11-20T10:30:00Z")).toBe(showTimestamp(1_763_634_600_000));
    expect(timeInZone(" 2025-11-20 ")).toBeUndefined();
    expect(timeInZone("tomorrow")).toBeUndefined();
  });
});
