import { describe, expect, it } from "vitest";
import {
  controlOf,
  readList,
  writeList,
  isOff,
  shownValue,
  tickedChoices,
  toggleChoice,
  trimPasted,
  listKey,
} from "../../src/explore/params.ts";
import { groupDatasets } from "../../src/explore/group-datasets.ts";
import { renamed, requestedOf, searchOf, pageOf, toParams } from "../../src/explore/request.ts";
import { errorPage, placeErrors, suggestedName } from "../../src/explore/request-errors.ts";
import { paramOf, trades } from "./dataset-of.ts";

const requested = (params: Record<string, string>, limit = "", offset = "") => ({ params, limit, offset });
const WALLET = `0x${"aB".repeat(20)}`;
const CONDITION = `0x${"1f".repeat(32)}`;
const TOKEN = "86836855507912353672331273895741550012643122260675758564432763672972116051156";

const pressed = (key: string, isComposing = false) => ({ key, isComposing });

describe("listKey", () => {
  it("adds what is typed on Enter or a comma, and takes the last item back if nothing is typed", () => {
    expect(listKey(pressed("Enter"), "a")).toBe("add");
    expect(listKey(pressed(","), "a")).toBe("add");
    expect(listKey(pressed("Backspace"), "")).toBe("take back");
    expect(listKey(pressed("Backspace"), "a")).toBeUndefined();
    expect(listKey(pressed("b"), "a")).toBeUndefined();
  });

  it("leaves every key to an input method that composes", () => {
    for (const key of ["Enter", ",", "Backspace"]) expect(listKey(pressed(key, true), "")).toBeUndefined();
  });
});

describe("controlOf", () => {
  it.each([
    ["boolean", { choices: ["True", "False"] }, "flag"],
    ["choice", { choices: ["1m", "1h"] }, "choice"],
    ["moment", {}, "moment"],
    ["day", {}, "day"],
    ["integer", {}, "number"],
    ["probability", {}, "number"],
    ["token id", {}, "id"],
    ["list of token id", { is_list: true }, "list"],
    ["list of phrases", { is_list: true }, "list"],
    ["time zone", {}, "zone"],
    ["weights", {}, "text"],
    ["a type of next year", {}, "text"],
  ])("picks the control for %s", (type, more, control) => {
    expect(controlOf(paramOf("x", { type, ...more }))).toBe(control);
  });
});

describe("the request that is sent", () => {
  it("omits values equal to the service's defaults", () => {
    expect(toParams(trades, requested({ side: "ALL", proxy_wallet: "{ALL}", market_slug: " ", min_usd: "5" }))).toEqual(
      {},
    );
  });

  it("includes a default value if it applies only while another parameter is absent", () => {
    const params = [paramOf("wallet"), paramOf("min_usd", { default: "5", default_unless: "wallet" })];
    const board = { ...trades, params };
    expect(toParams(board, requested({ wallet: WALLET, min_usd: "5" }))).toEqual({ wallet: WALLET, min_usd: "5" });
  });

  it("includes an off value if it switches a default off", () => {
    expect(toParams(trades, requested({ min_usd: "-1.0" }))).toEqual({ min_usd: "-1.0" });
  });

  it("includes unknown parameters, so that the service can suggest the right name", () => {
    expect(toParams(trades, requested({ sied: "BUY", side: " BUY " }))).toEqual({ side: "BUY", sied: "BUY" });
  });

  it("recognises off values in any letter case and in lists", () => {
    const [wallet, side] = trades.params;
    expect(isOff(wallet!, "{all,ALL}")).toBe(true);
    expect(isOff(wallet!, `all,${WALLET}`)).toBe(false);
    expect(isOff(side!, "both")).toBe(true);
    expect(isOff(side!, "BUY")).toBe(false);
  });

  it("has limit and offset within the allowed range, or errors at their fields", () => {
    expect(pageOf(trades, requested({}, "100", "0"))).toEqual({ ok: true, page: {} });
    expect(pageOf(trades, requested({}, "250", "50"))).toEqual({ ok: true, page: { limit: 250, offset: 50 } });
    const wrong = pageOf(trades, requested({}, "10001", "-1"));
    expect(wrong.ok ? [] : [...wrong.problems.keys()]).toEqual(["limit", "offset"]);
  });
});

describe("a parameter with choices", () => {
  const grain = paramOf("interval", { type: "choice", choices: ["1d", "1w", "1M"], default: "1d" });
  const [, side] = trades.params;

  it("shows the choice that is sent, the default, or no filter", () => {
    expect(["", "1d", "1w", "1M"].map((text) => shownValue(grain, text))).toEqual(["", "", "1w", "1M"]);
    expect(["", "all", " BUY "].map((text) => shownValue(side!, text))).toEqual(["", "", "BUY"]);
    const open = paramOf("status", { type: "choice", choices: ["open"], default: "open", off_values: ["ALL"] });
    expect(["", "open", "all"].map((text) => shownValue(open, text))).toEqual(["", "", "ALL"]);
  });

  it("shows a value of a link as it is sent, also if a choice differs from it by letter case alone", () => {
    expect(["1m", "1D", "2h"].map((text) => shownValue(grain, text))).toEqual(["1m", "1D", "2h"]);
  });

  it("lets values of a link that are no choices be removed from a list", () => {
    const source = paramOf("source", { type: "list of choice", is_list: true, choices: ["x", "gdelt"] });
    const text = "GDELT,twitter";
    expect(tickedChoices(source, text)).toEqual([
      { item: "x", isOn: false },
      { item: "gdelt", isOn: true },
      { item: "twitter", isOn: true },
    ]);
    expect(toggleChoice(source, text, "twitter")).toBe("GDELT");
    expect(toggleChoice(source, text, "gdelt")).toBe("twitter");
    expect(toggleChoice(source, text, "x")).toBe("GDELT,twitter,x");
  });

  it("replaces the off value of a list by what is ticked", () => {
    const source = paramOf("source", { type: "list of choice", is_list: true, choices: ["x"], off_values: ["ALL"] });
    expect(tickedChoices(source, "ALL")).toEqual([{ item: "x", isOn: false }]);
    expect(toggleChoice(source, "ALL", "x")).toBe("x");
  });
});

describe("a link to a query", () => {
  it("contains the values that differ from the defaults, and restores them", () => {
    const question = requested({ side: "BUY", market_slug: "a b&c=d", min_usd: "5" }, "250", "0");
    const search = searchOf(trades, question);
    expect(search).toBe("?side=BUY&market_slug=a+b%26c%3Dd&_limit=250");
    expect(requestedOf(trades, search)).toEqual(requested({ side: "BUY", market_slug: "a b&c=d" }, "250"));
    expect(searchOf(trades, requested({}))).toBe("");
  });

  it("maps aliases to the parameter's own name, unless that is present too", () => {
    expect(requestedOf(trades, `?wallet=${WALLET}`).params).toEqual({ proxy_wallet: WALLET });
    expect(requestedOf(trades, "?slug=a&market_slug=b").params).toEqual({ slug: "a", market_slug: "b" });
  });

  it("keeps unknown names", () => {
    expect(requestedOf(trades, "?sied=BUY").params).toEqual({ sied: "BUY" });
  });
});

describe("validation errors", () => {
  it("are placed at their fields, also if reported under an alias", () => {
    const placed = placeErrors(trades, [
      { path: "params.min_usd", problem: "is not valid", expected: "a number", got: "x" },
      { path: "params.wallet", problem: "is not a string" },
      { path: "pagination.limit", problem: "is over the maximum", expected: "1 to 200", got: "500" },
      { path: "params.sied", problem: "is not a parameter of polymarket-trades; did you mean side?" },
      { path: "params", problem: "give a ticker or a time range" },
    ]);
    expect([...placed.fields]).toEqual([
      ["min_usd", "is not valid: expected a number, got x."],
      ["proxy_wallet", "is not a string."],
      ["limit", "is over the maximum: expected 1 to 200, got 500."],
    ]);
    expect(placed.others).toEqual([
      "params.sied: is not a parameter of polymarket-trades; did you mean side?.",
      "params: give a ticker or a time range.",
    ]);
  });

  it("move a text to the name that was meant, also if that is chosen twice", () => {
    const once = renamed(requested({ sied: "BUY", min_usd: "5" }), "sied", "side");
    expect(once.params).toEqual({ side: "BUY", min_usd: "5" });
    expect(renamed(once, "sied", "side")).toEqual(once);
  });

  it("have a page if they are the service's own", () => {
    const docs = "https://almanac.example/docs/errors/rate-limited";
    expect(errorPage({ code: "RATE_LIMITED", docs })).toBe("/docs/errors/rate-limited");
    expect(errorPage({ code: "UNREADABLE", docs: undefined })).toBeUndefined();
  });

  it("suggest the name that was meant", () => {
    expect(suggestedName({ path: "params.sied", problem: "is not …; did you mean side?" })).toEqual({
      wrong: "sied",
      right: "side",
    });
    expect(suggestedName({ path: "params.side", problem: "is not valid" })).toBeUndefined();
  });
});

describe("lists and pasted ids", () => {
  it("are parsed as the service parses them", () => {
    expect(readList('{NHL, "hockey" ,Stanley Cup,}')).toEqual(["NHL", "hockey", "Stanley Cup"]);
    expect(writeList(["a", "b", "a"])).toBe("a,b");
  });

  it.each([
    ["wallet address", `https://polymarket.com/profile/${WALLET}?tab=positions`, WALLET],
    ["wallet address", `"${WALLET}",\n'${WALLET}'`, WALLET],
    ["wallet address", `\u200b ${WALLET}\u00a0`, WALLET],
    ["wallet address", `${WALLET}\n0x12`, `${WALLET},0x12`],
    ["wallet address", `1\t${WALLET}`, WALLET],
    ["token id", `${TOKEN}, ${TOKEN}99`, `${TOKEN},${TOKEN}99`],
    ["wallet address", CONDITION, CONDITION],
    ["condition id", `{"condition_id":"${CONDITION}"}`, CONDITION],
    ["token id", ` "${TOKEN}", `, TOKEN],
    ["slug or ticker", " 'KXNBAGAME-25APR19DETNYK-NYK', ", "KXNBAGAME-25APR19DETNYK-NYK"],
    ["wallet address", "0x12", "0x12"],
  ])("as %s: extracts the id from %s", (type, text, meant) => {
    expect(trimPasted(text, type)).toBe(meant);
  });
});

const named = (name: string, agentId: number) => ({ ...trades, name, agent_id: agentId });
const ALL = [
  named("kalshi-trades", 573),
  named("polymarket-trades", 556),
  named("wallet-360", 581),
  named("new-thing", 1),
];
const found = (search: string) => groupDatasets(ALL, search).flatMap((group) => group.datasets.map((one) => one.name));

describe("the list of datasets", () => {
  it("is grouped by topic, with a group for new datasets", () => {
    const titles = groupDatasets(ALL, "").map((group) => group.title);
    expect(titles).toEqual(["Trades and events", "Wallets", "Kalshi", "More"]);
  });

  it("can be searched by words, ids and names of fields", () => {
    expect(found("kalshi")).toEqual(["kalshi-trades"]);
    expect(found("581")).toEqual(["wallet-360"]);
    expect(found("min_usd filled")).toHaveLength(4);
    expect(found("nothing like it")).toEqual([]);
  });
});
