import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { answerOf, HEADERS, openApi, post, TOKEN, type Api } from "./api.ts";
import { rawRequest } from "./raw-request.ts";

let api: Api;
let seen: Readonly<Record<string, unknown>> | undefined;
beforeAll(async () => {
  api = await openApi(async (body) => {
    seen = body;
    return answerOf();
  });
});
afterAll(() => api.close());

const codeOf = async (reply: Response): Promise<string> =>
  ((await reply.json()) as { error: { code: string } }).error.code;

describe("a body", () => {
  it.each([
    ["nothing", ""],
    ["not JSON", "{"],
    ["text after it", '{"agent_id":574} x'],
    ["an array", "[1]"],
    ["null", "null"],
    ["a number", "5"],
    ["a string", '"{}"'],
    ["NaN", '{"agent_id":NaN}'],
    ["a comment", '{"agent_id":574}//x'],
    ["an unpaired surrogate in a value", '{"agent_id":574,"params":{"a":"\\ud800"}}'],
    ["an unpaired surrogate in a name", '{"agent_id":574,"params":{"\\uDC00":"a"}}'],
    ["surrogates the wrong way round", '{"a":["\\udc00\\ud800"]}'],
    ["a name twice", '{"agent_id":574,"params":{"wallet":"a","wallet":"b"}}'],
    ["a name twice, once escaped", '{"agent_id":574,"agent_\\u0069d":556}'],
    ["33 levels", `{"a":${"[".repeat(32)}${"]".repeat(32)}}`],
    ["60,000 open brackets", "[".repeat(60_000)],
    ["60,000 open objects", '{"a":'.repeat(12_000)],
    ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["an overlong encoding", new Uint8Array([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
    ["a surrogate in UTF-8", new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ])("that is %s is refused as MALFORMED_JSON", async (_name, body) => {
    seen = undefined;
    const reply = await post(api, body);
    expect(reply.status).toBe(400);
    expect(await codeOf(reply)).toBe("MALFORMED_JSON");
    expect(seen).toBeUndefined();
  });

  it.each([
    ["brackets in strings", `{"agent_id":574,"params":{"a":"${"[{".repeat(200)}\\"[[["}}`],
    ["colons in strings and the same name in two objects", '{"a":{"x":":\\":"},"b":[{"x":1},{"x":{}}],"":""}'],
    ["a paired surrogate", '{"agent_id":574,"params":{"a":"\\ud83d\\ude00"}}'],
    ["32 levels", `{"a":${"[".repeat(31)}${"]".repeat(31)}}`],
    ["a byte order mark", '\uFEFF{"agent_id":574}'],
    ["exactly 64 KiB", `{"a":"${"x".repeat(65_536 - 8)}"}`],
  ])("with %s is accepted", async (_name, body) => {
    expect((await post(api, body)).status).toBe(200);
  });

  it("keeps __proto__ as a field like any other", async () => {
    await post(api, '{"agent_id":574,"__proto__":{"polluted":true}}');
    expect(Object.keys(seen ?? {})).toEqual(["agent_id", "__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("body size", () => {
  it("one byte over 64 KiB returns 413, and the connection stays open", async () => {
    const reply = await post(api, `{"a":"${"x".repeat(65_536 - 7)}"}`);
    expect(reply.status).toBe(413);
    expect(await codeOf(reply)).toBe("BODY_TOO_LARGE");
    expect(reply.headers.get("connection")).not.toBe("close");
  });

  it("is counted as it arrives if no length is sent", async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let index = 0; index < 40; index += 1) controller.enqueue(new Uint8Array(4096).fill(0x20));
        controller.close();
      },
    });
    const reply = await fetch(api.endpoint, { method: "POST", headers: HEADERS, body: stream, duplex: "half" });
    expect(reply.status).toBe(413);
  });

  it("of 1 TB in Content-Length returns 413 before a byte is read, and closes the connection", async () => {
    const text = await rawRequest(
      api.port,
      `POST ${ENDPOINT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 1099511627776\r\n\r\n{`,
    );
    expect(text.slice(9, 12)).toBe("413");
    expect(text.toLowerCase()).toContain("connection: close");
  });

  it("of 1 TB in Content-Length without a token returns 401 without waiting for the body", async () => {
    const text = await rawRequest(
      api.port,
      `POST ${ENDPOINT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1099511627776\r\n\r\n{`,
    );
    expect(text.slice(9, 12)).toBe("401");
    expect(text.toLowerCase()).toContain("connection: close");
  });

  it("is read only up to Content-Length", async () => {
    const text = await rawRequest(
      api.port,
      `POST ${ENDPOINT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 5\r\n\r\n{"agent_id":574}`,
    );
    expect(text.slice(9, 12)).toBe("400");
  });
});

describe("Content-Type", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
  ])("%s is accepted", async (type) => {
    expect((await post(api, { agent_id: 574 }, { "content-type": type })).status).toBe(200);
  });

  it.each([
    "text/plain",
    "application/json; charset=latin1",
    "application/jsonp",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json, text/plain",
    ";;;",
    "json",
  ])("%s returns 415", async (type) => {
    const reply = await post(api, { agent_id: 574 }, { "content-type": type });
    expect(reply.status).toBe(415);
    expect(await codeOf(reply)).toBe("UNSUPPORTED_MEDIA_TYPE");
  });

  it("absent returns 415", async () => {
    const text = await rawRequest(
      api.port,
      `POST ${ENDPOINT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(text.slice(9, 12)).toBe("415");
  });

  it("with a compressed body returns 415", async () => {
    expect((await post(api, { agent_id: 574 }, { "content-encoding": "gzip" })).status).toBe(415);
  });
});
