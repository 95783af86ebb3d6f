import { describe, expect, it } from "vitest";
import { languageCode } from "../../../src/definition/vocabulary.ts";
import { openDetector } from "../../../src/connectors/social/open-detector.ts";
import { toPostRow, type SourcePost } from "../../../src/connectors/social/to-post-row.ts";

const TS = Date.UTC(2026, 5, 1, 12);
const post = (change: Partial<SourcePost> = {}): SourcePost => ({
  source: "bluesky",
  id: "at://did:plc:a/app.bsky.feed.post/3k1",
  tsMs: TS,
  author: "did:plc:a",
  url: "https://bsky.app/profile/did:plc:a/post/3k1",
  text: "I love this",
  lang: "en",
  ...change,
});

const createdOn = (declaredMs: number): unknown => toPostRow(post({ declaredMs })).created_on;

describe("a post's row", () => {
  it("has no creation time at which its author could not have written it", () => {
    expect(createdOn(Date.UTC(2031, 0))).toBe(new Date(TS).toISOString());
    expect(createdOn(TS - 60_000)).toBe(new Date(TS - 60_000).toISOString());
    expect(createdOn(Number.NaN)).toBe(new Date(TS).toISOString());
    expect(createdOn(Date.UTC(1, 0))).toBe("1970-01-01T00:00:00.000Z");
  });

  it("has no control characters and no half surrogate pairs", () => {
    const row = toPostRow(post({ text: "a\u0000b\u202ec\r\nd\te\ud83d", username: "x\u0007y" }));
    expect(row.body).toBe("abc\nd\te\ufffd");
    expect(row.username).toBe("xy");
    const long = String(toPostRow(post({ text: `${"x".repeat(9999)}🚀🚀` })).body);
    expect(long).toBe("x".repeat(9999));
  });

  it("uses the author's id if there is no name, and turns invalid counts into valid ones", () => {
    const row = toPostRow(post({ counts: { likes: -3, reposts: 2.9, replies: Number.NaN } }));
    expect(row).toMatchObject({
      username: "did:plc:a",
      like_count: 0,
      retweet_count: 2,
      reply_count: 0,
      quote_count: 0,
    });
  });

  it("takes the language from the source, otherwise from the text, otherwise none", async () => {
    const detect = await openDetector();
    const lang = (change: Partial<SourcePost>): unknown => toPostRow(post(change), detect).lang;
    expect(lang({ lang: "pt-BR" })).toBe("pt");
    expect(lang({ lang: "", text: "El Tribunal Supremo ha decidido hoy sobre la ley" })).toBe("es");
    expect(lang({ lang: "", text: "The court will decide about the law this week" })).toBe("en");
    expect(lang({ lang: "", text: "gm 🚀 https://example.org/some-long-address" })).toBe("");
    expect(toPostRow(post({ lang: "" })).lang).toBe("");
  });

  it.each([
    ["en-US", "en"],
    ["EN", "en"],
    ["iw", "he"],
    ["in", "id"],
    ["und", ""],
    ["qme", ""],
    ["", ""],
    ["english", ""],
  ])("reads the tag %s as %j", (tag, code) => expect(languageCode(tag)).toBe(code));

  it("has a polarity only in English", () => {
    expect(toPostRow(post()).sentiment).not.toBeNull();
    expect(toPostRow(post({ lang: "de" })).sentiment).toBeNull();
  });
});
