import { describe, expect, it } from "vitest";
import { maySee } from "../src/app/routes.ts";
import { toSignIn, toWayBack } from "../src/app/way-back.ts";

describe("the redirect to sign-in and back", () => {
  it("returns to the requested page with its parameters", () => {
    const requested = { pathname: "/explore/trades", search: "?side=BUY&wallet=0x1", hash: "#row" };
    const way = toSignIn(requested);
    expect(toWayBack(new URL(way, "https://a.test").search)).toBe("/explore/trades?side=BUY&wallet=0x1#row");
  });

  it("omits the return path for the overview and for sign-in itself", () => {
    expect(toSignIn({ pathname: "/", search: "", hash: "" })).toBe("/sign-in");
    expect(toSignIn({ pathname: "/sign-in", search: "", hash: "" })).toBe("/sign-in");
  });

  it("never leads to another site or to sign-in, whatever the URL says", () => {
    for (const next of [
      "https://evil.test/",
      "//evil.test/",
      "/\\evil.test/",
      "\\\\evil.test",
      "javascript:alert(1)",
      "/\t/evil.test",
      "/\n/evil.test",
      "/.//evil.test/",
      "/keys/..//evil.test/",
      "keys",
      "/sign-in?next=/keys",
    ])
      expect(toWayBack(`?next=${encodeURIComponent(next)}`), next).toBe("/");
  });
});

describe("maySee", () => {
  it("allows a page by the user's role", () => {
    expect(maySee({ roles: "anyone" }, "member")).toBe(true);
    expect(maySee({ roles: ["owner", "operator"] }, "member")).toBe(false);
    expect(maySee({ roles: ["owner", "operator"] }, "owner")).toBe(true);
  });
});
