import { connect } from "node:net";
import type { FuzzMatter, FuzzRequest } from "./fuzz-request.ts";
import type { Random } from "./random.ts";

const BITS = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  " ",
  ":",
  "\t",
  "HTTP/9.9",
  "\u00ff",
  "Transfer-Encoding: chunked\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Host: a\r\nHost: b\r\n",
  "Upgrade: h2c\r\nConnection: Upgrade\r\n",
  "Expect: 100-continue\r\n",
  "\r\n\r\n",
  "X: " + "a".repeat(20_000) + "\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];
const SILENCE_MS = 8000;

/** A valid request's bytes with a few of them changed, removed or inserted. */
export function hardlyHttp({ key, path }: FuzzMatter, random: Random): FuzzRequest {
  const requested = JSON.stringify({ agent_id: 574, pagination: { limit: 1 } });
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${requested.length}\r\n\r\n`;
  let bytes = Buffer.from(head + requested, "latin1");
  for (let change = 0; change <= random.below(3); change += 1) {
    const at = random.below(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const way = random.below(3);
    if (way === 0) bytes = Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)]);
    if (way === 1) bytes = Buffer.concat([before, after.subarray(1 + random.below(8))]);
    if (way === 2) bytes = Buffer.concat([before, Buffer.from(random.pick(BITS), "latin1"), after]);
  }
  return { kind: "hardly HTTP", target: "socket", method: "POST", path: "", headers: {}, body: bytes };
}

export type SocketAnswer = { status: number; headers: Record<string, string>; body: Buffer };

/** Writes, half-closes, and reads until the other side is done: returns the answers received, none or several. */
export function exchange(port: number, bytes: Buffer): Promise<SocketAnswer[]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.end(bytes));
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.on("data", (chunk) => void chunks.push(chunk));
    socket.on("end", () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answersIn(Buffer.concat(chunks))));
  });
}

function answersIn(bytes: Buffer): SocketAnswer[] {
  const answers: SocketAnswer[] = [];
  let rest = bytes;
  while (rest.subarray(0, 9).toString("latin1") === "HTTP/1.1 ") {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) break;
    const [line = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((one) => [one.slice(0, one.indexOf(":")).toLowerCase(), one.slice(one.indexOf(":") + 2)]),
    );
    const after = end + 4 + Number(headers["content-length"] ?? 0);
    const status = Number(line.slice(9, 12));
    if (status >= 200) answers.push({ status, headers, body: rest.subarray(end + 4, after) });
    rest = rest.subarray(after);
  }
  return answers;
}
