// The minimal service: node:http that looks up the response bytes by the request bytes, and sends them.
// The file named by BARE_ANSWERS has pairs of request and response.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const pairs = JSON.parse(readFileSync(process.env["BARE_ANSWERS"] ?? "", "utf8")) as [string, string][];
const answers = new Map(pairs.map(([question, answer]) => [question, Buffer.from(answer)]));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const answer = answers.get(Buffer.concat(chunks).toString("utf8"));
    if (answer === undefined) return response.writeHead(404).end();
    return response
      .writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": answer.length })
      .end(answer);
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ base_url: `http://127.0.0.1:${port}` })}\n`);
});
