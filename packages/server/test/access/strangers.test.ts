import { expect, test } from "vitest";
import { openKeys } from "../../src/access/access.ts";
import { openStrangers } from "../../src/access/strangers.ts";

test("strangers whose turn does not come are refused without an error for the log, and who is known is found", async () => {
  const strangers = openStrangers<string>(100);
  expect(await strangers("known", () => Promise.resolve("somebody"))).toBe("somebody");
  const over = Promise.withResolvers<undefined>();
  const held = ["a", "b", "c"].map((id) => strangers(id, () => over.promise));
  const { verify } = openKeys({
    verify: async (token) => {
      await strangers(token, () => Promise.resolve("nobody"));
      return undefined;
    },
    forget: () => undefined,
    lookAgain: () => undefined,
  });
  const refused = await verify("late").catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
  expect((refused as Error).cause).toBeUndefined();
  expect(await strangers("known", () => Promise.resolve("somebody"))).toBe("somebody");
  over.resolve(undefined);
  expect(await Promise.all(held)).toEqual([undefined, undefined, undefined]);
});
