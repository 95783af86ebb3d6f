import { describe, expect, it } from "vitest";
import { gdeltArticlesStream } from "../../../src/connectors/gdelt/articles.ts";
import { articlesWire, parseBody, toPost } from "../../../src/connectors/gdelt/search/article-posts.ts";
import { toQuery } from "../../../src/connectors/gdelt/search/read-articles.ts";

const article = (title: string) =>
  `{"url":"https://a.example/1","url_mobile":"","title":"${title}","seendate":"20260910T121500Z","socialimage":"","domain":"a.example","language":"Spanish","sourcecountry":"Spain"}`;
const page = (title: string) => `{"articles":[${article(title)}]}`;

describe("a GDELT answer", () => {
  it.each([
    ["plain", "Rain falls", "Rain falls"],
    ["a backslash that escapes nothing", String.raw`Rain \| Site \' \x`, String.raw`Rain \| Site \' \x`],
    ["right escapes beside a wrong one", String.raw`\"Rain\" \u00e9 \\ \_`, String.raw`"Rain" é \ \_`],
    ["a half escape", String.raw`Rain \u12`, String.raw`Rain \u12`],
    ["a line break inside a text", "Rain\nfalls\ttoday", "Rain falls today"],
  ])("is parsed with %s", (_what, title, read) => {
    expect(articlesWire.parse(parseBody(page(title))).articles?.[0]).toMatchObject({ title: read });
  });

  it("is empty when no article was found", () => {
    expect(articlesWire.parse(parseBody("{}"))).toEqual({});
  });

  it("is distinguished as a refused query, rate limiting, or a malformed page", () => {
    expect(parseBody("The specified phrase is too short.\n")).toEqual({
      refused: "The specified phrase is too short.",
    });
    expect(() => parseBody("Please limit requests to one every 5 seconds or contact us")).toThrow(SyntaxError);
    expect(() => parseBody("<!DOCTYPE html><html></html>")).toThrow(SyntaxError);
    expect(() => parseBody("")).toThrow(SyntaxError);
    const cut = page("Rain").slice(0, -20);
    expect(parseBody(cut)).toBe(cut);
    expect(articlesWire.safeParse(parseBody(cut)).success).toBe(false);
    expect(articlesWire.safeParse({ error: "gone" }).success).toBe(false);
  });

  it("is parsed again from the parked page", () => {
    const replay = gdeltArticlesStream.replay?.({
      path: "",
      receivedMs: 0,
      read: (reply) => reply.parse(page(String.raw`Rain \| Site`)),
    });
    expect(replay?.[0]?.rows).toMatchObject([{ body: String.raw`Rain \| Site` }]);
  });

  it("becomes a row with the title as its text and the site as its author", () => {
    const [found] = articlesWire.parse(parseBody(page("Rain , they say , falls : 5 % more"))).articles ?? [];
    expect(found && toPost(found)).toMatchObject({
      source: "gdelt",
      id: "https://a.example/1",
      ts: "2026-09-10T12:15:00.000Z",
      author: "a.example",
      body: "Rain, they say, falls: 5% more",
      lang: "es",
    });
  });
});

it("queries phrases in quotes and words without, and skips terms that GDELT would refuse", () => {
  expect(["Stanley Cup", "NHL", "S&P 500", "F-1", 'the "Big" one', "ab"].map(toQuery)).toEqual([
    '"Stanley Cup" sourcelang:english',
    "NHL sourcelang:english",
    '"S&P 500" sourcelang:english',
    undefined,
    '"the Big one" sourcelang:english',
    undefined,
  ]);
});
