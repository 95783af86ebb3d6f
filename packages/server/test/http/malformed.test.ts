import { METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { answerOf, openApi, TOKEN, type Api } from "./api.ts";
import { rawRequest } from "./raw-request.ts";

let api: Api;
beforeAll(async () => {
  api = await openApi(async () => answerOf(), { bounds: { headersTimeoutMs: 500, requestTimeoutMs: 800 } });
});
afterAll(() => api.close());

function shapeOf(text: string): { status: number; code: string; id: string } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const { error } = JSON.parse(body) as { error: { code: string; message: string; request_id: string; docs: string } };
  expect(error.message).not.toBe("");
  expect(error.docs).toMatch(/^https:\/\/almanac\.example\/docs\/errors\/[a-z-]+$/);
  expect(head.toLowerCase()).toContain(`x-request-id: ${error.request_id.toLowerCase()}`);
  return { status: Number(head.slice(9, 12)), code: error.code, id: error.request_id };
}

const head = `POST ${ENDPOINT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;

describe("malformed and unsupported requests", () => {
  it.each([
    ["a bad request line", "HELLO WORLD\r\n\r\n"],
    ["TLS on a plain port", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03])],
    ["headers too large", `GET /health HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(40_000)}\r\n\r\n`],
    ["a line too large", `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ["no Host", "GET /health HTTP/1.1\r\n\r\n"],
    ["a header without a colon", "GET /health HTTP/1.1\r\nHost: x\r\nfoo\r\n\r\n"],
    ["both lengths", `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["two lengths", `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ["a negative length", `${head}Content-Length: -2\r\n\r\n{}`],
    ["a bad chunk", `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ["an unknown expectation", `${head}Expect: cake\r\nContent-Length: 2\r\n\r\n{}`],
    ["a head that never ends", "GET /health HTTP/1.1\r\nHost: x\r\n"],
    ["a body that never ends", `${head}Content-Length: 200\r\n\r\n{`],
  ])("are answered in the error shape: %s", async (_name, bytes) => {
    expect(shapeOf(await rawRequest(api.port, bytes, 4000))).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  });

  it("are answered in the error shape: CONNECT", async () => {
    const text = await rawRequest(api.port, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n");
    expect(shapeOf(text)).toMatchObject({ status: 405, code: "METHOD_NOT_ALLOWED" });
  });

  it("are answered in the error shape: a path that cannot be decoded", async () => {
    const text = await rawRequest(api.port, "GET /docs/%E0%A4%A HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(shapeOf(text)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("leave the server up and are logged each time", async () => {
    expect((await fetch(`${api.url}/health`)).status).toBe(200);
    expect(api.lines.filter((line) => line["msg"] === "refused").length).toBeGreaterThan(10);
  });
});

describe("methods", () => {
  it.each(METHODS.filter((method) => method !== "CONNECT"))("%s is answered on every kind of path", async (method) => {
    for (const path of [ENDPOINT, "/health", "/nowhere"]) {
      const text = await rawRequest(api.port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const status = Number(text.slice(9, 12));
      const expected =
        path === "/nowhere"
          ? 404
          : method === "OPTIONS"
            ? 204
            : path === ENDPOINT
              ? method === "POST"
                ? 401
                : 405
              : ["GET", "HEAD"].includes(method)
                ? 200
                : 405;
      expect(status, `${method} ${path}`).toBe(expected);
      if (status === 405 || status === 204) {
        expect(text).toContain(`allow: ${path === ENDPOINT ? "OPTIONS, POST" : "GET, HEAD, OPTIONS"}\r\n`);
      }
      if (method === "HEAD") expect(text.endsWith("\r\n\r\n")).toBe(true);
    }
  });
});
