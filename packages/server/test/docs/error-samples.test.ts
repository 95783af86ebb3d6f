import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/definition/errors.ts";
import { errorText } from "../../src/http/docs/errors/error-page.ts";
import { errorPath } from "../../src/http/error-answers.ts";
import { openService, type Service } from "../promises/service.ts";
import { ERROR_SCENARIOS } from "./error-scenarios.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** The wait in a message depends on the time of the first request. */
const settled = (message: string): string => message.replace(/wait [\d.]+ seconds/, "wait 60 seconds");

describe("the example of an error page", () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])("%s matches the service's answer", async (code) => {
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
