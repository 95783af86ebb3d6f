import { expect } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/definition/errors.ts";
import { leaksIn } from "../fuzz/leaks.ts";

export type Failure = {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly docs: string;
  readonly details?: readonly { path: string; problem: string; expected?: string; got?: string }[];
};

/**
 * Expects the error shape with this code and its status, and returns the error. `sent` is the caller's text, which may
 * be echoed.
 */
export async function expectError(reply: Response, code: ErrorCode, sent = ""): Promise<Failure> {
  const text = await reply.text();
  expect(reply.status, text).toBe(ERRORS[code].status);
  expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  const body = JSON.parse(text) as { error: Failure };
  expect(Object.keys(body)).toEqual(["error"]);
  expect(body.error.code).toBe(code);
  expect(body.error.message.length).toBeGreaterThan(10);
  expect(body.error.request_id).toBe(reply.headers.get("x-request-id"));
  expect(body.error.docs).toBe(`https://almanac.example/docs/errors/${code.toLowerCase().replaceAll("_", "-")}`);
  expect(leaksIn(text, sent)).toEqual([]);
  return body.error;
}
