import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/definition/errors.ts";
import { errorText } from "../../src/http/docs/errors/error-page.ts";
import { errorPath } from "../../src/http/error-body.ts";
import { openService, type Service } from "../promises/service.ts";
import { ERROR_SCENARIOS } from "./error-scenarios.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** A wait hangs on when the first request was taken. */
const settled = (message: string): string => message.replace(/wait [\d.]+ seconds/, "wait 60 seconds");

describe("the example on the page of", () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])("%s is what the service answers", async (code) => {
    const reply = await ERROR_SCENARIOS[code](service);
    expect(reply.status).toBe(ERRORS[code].status);
    const { error } = (await reply.json()) as { error: { code: string; message: string; docs: string } };
    const { message, details } = errorText(code);
    if (message.endsWith("…")) expect(error.message.startsWith(message.slice(0, -1))).toBe(true);
    else expect(settled(error.message)).toBe(message);
    expect(error).toMatchObject({ code, ...(details ? { details } : {}) });
    expect(new URL(error.docs).pathname).toBe(errorPath(code));
  });
});
