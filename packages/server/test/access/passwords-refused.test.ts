import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { passwordInput, requireNotOwn } from "../../src/access/passwords.ts";

const file = new URL("../../src/access/common-passwords.txt", import.meta.url);
const isTaken = (text: string): boolean => passwordInput.safeParse(text).success;

test("refuses every listed password, however it is written, and accepts it with a suffix", () => {
  const common = readFileSync(file, "utf8").trim().split("\n");
  expect(common.length).toBeGreaterThan(300);
  expect(new Set(common).size).toBe(common.length);
  for (const text of common) {
    expect([text, text.length >= 12, isTaken(text), isTaken(text.toUpperCase())]).toEqual([text, true, false, false]);
    expect(isTaken(`${text}~x`)).toBe(true);
  }
  expect(isTaken("ｐａｓｓｗｏｒｄ１２３４")).toBe(false);
});

test.each([
  ["what is said of ann.berg here", "e-mail address"],
  ["ANN.BERG@Example.org!", "e-mail address"],
  ["my name is AnnaBergström ok", "name"],
  ["my name is anna  bergström ok", "name"],
])("refuses %s because it contains the user's own %s", (password, held) => {
  const person = { email: "ann.berg@example.org", name: "Anna Bergström" };
  expect(() => requireNotOwn(password, person, "password")).toThrow(`password must not contain the user's own ${held}`);
});

test("accepts a password that contains a two-letter name or another user's name", () => {
  const person = { email: "al@example.org", name: "Al" };
  for (const text of ["always something else", "Anna Bergström and more"]) {
    expect(() => requireNotOwn(text, person, "password")).not.toThrow();
  }
});
