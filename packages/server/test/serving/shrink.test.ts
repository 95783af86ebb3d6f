import { expect, test } from "vitest";
import { checkShrinking, shrunk, type Question } from "./shrink.ts";

const requested: Question = {
  params: { wallet: "a,b,c,d,e", side: "BUY", start_time: "1" },
  pagination: { limit: 500, offset: 40 },
  format: "typed",
};

const fails = async ({ params, pagination }: Question): Promise<boolean> =>
  params["wallet"]?.includes("d") === true && Number(pagination["limit"]) > 100;

const check = async ({ params }: Question): Promise<string> => {
  if (params["side"] !== undefined) throw new Error("they differ");
  return "alike";
};

test("shrinks a failing query to the smallest one that still fails", async () => {
  expect(await shrunk(requested, fails)).toEqual({
    params: { wallet: "d" },
    pagination: { limit: 125 },
    format: "raw",
  });
});

test("keeps all parameters of a page requested by cursor", async () => {
  const later = { ...requested, pagination: { limit: 2, cursor: "c" } };
  expect(await shrunk(later, async () => true)).toEqual({
    ...later,
    pagination: { limit: 1, cursor: "c" },
    format: "raw",
  });
});

test("does not report a simpler query that is rejected for a removed parameter", async () => {
  const needsWallet = async ({ params }: Question): Promise<string> => {
    if (params["wallet"] === undefined) throw new RangeError("wallet is required");
    return check({ ...requested, params });
  };
  await expect(checkShrinking(requested, needsWallet)).rejects.toThrow('{"params":{"wallet":"a","side":"BUY"}');
});

test("throws the smallest failing query with its cause, and returns the result of a check that passes", async () => {
  expect(await checkShrinking({ ...requested, params: {} }, check)).toBe("alike");
  const failure = checkShrinking(requested, check);
  await expect(failure).rejects.toThrow('{"params":{"side":"BUY"},"pagination":{"limit":1},"format":"raw"}');
  await expect(failure).rejects.toMatchObject({ cause: { message: "they differ" } });
});
