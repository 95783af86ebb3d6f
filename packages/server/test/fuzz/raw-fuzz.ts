import { connect } from "node:net";
import { problemsOf, type CheckOptions } from "./check-answer.ts";
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

/** A right request's bytes with a few of them changed, lost or put in. */
function mutated(random: Random, right: string): Buffer {
  let bytes = Buffer.from(right, "latin1");
  for (let change = 0; change <= random.below(3); change += 1) {
    const at = random.below(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const way = random.below(3);
    if (way === 0) bytes = Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)]);
    if (way === 1) bytes = Buffer.concat([before, after.subarray(1 + random.below(8))]);
    if (way === 2) bytes = Buffer.concat([before, Buffer.from(random.pick(BITS), "latin1"), after]);
  }
  return bytes;
}

export type RawReport = { readonly problems: readonly string[]; readonly byStatus: Readonly<Record<string, number>> };

/** Sends so many requests that mostly are not HTTP; what was wrong with the answers, and how many of each there were. */
export async function rawFuzz(
  port: number,
  right: string,
  random: Random,
  count: number,
  check: CheckOptions,
): Promise<RawReport> {
  const problems: string[] = [];
  const byStatus: Record<string, number> = {};
  const work = async (share: number): Promise<void> => {
    for (let sent = 0; sent < share; sent += 1) {
      const bytes = mutated(random, right);
      const started = performance.now();
      const text = await exchange(port, bytes);
      const answers = answersIn(text);
      if (answers.length === 0) byStatus["none"] = (byStatus["none"] ?? 0) + 1;
      for (const answer of answers) {
        byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
        const request = {
          kind: "raw",
          method: answer.body === "" ? "HEAD" : "POST",
          path: "",
          headers: {},
          body: bytes,
        };
        const found = problemsOf(request, { ...answer, milliseconds: 0 }, check);
        if (found.length > 0)
          problems.push(
            `${found.join("; ")} | ${JSON.stringify(bytes.toString("latin1").slice(0, 400))} → ${text.slice(0, 400)}`,
          );
      }
      if (performance.now() - started > check.maxMilliseconds)
        problems.push(`took long: ${JSON.stringify(bytes.toString("latin1").slice(0, 400))}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, () => work(Math.ceil(count / 8))));
  return { problems, byStatus };
}

/** Writes, says that no more comes, and reads until the other side is done. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.end(bytes));
    socket.setTimeout(8000, () => socket.destroy());
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("end", () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
}

type RawAnswer = { status: number; headers: Record<string, string>; body: string };

function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest.startsWith("HTTP/1.1 ")) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) break;
    const [line = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((one) => [one.slice(0, one.indexOf(":")).toLowerCase(), one.slice(one.indexOf(":") + 2)]),
    );
    const length = Number(headers["content-length"] ?? 0);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), "latin1").toString("utf8");
    const status = Number(line.slice(9, 12));
    if (status >= 200) answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
