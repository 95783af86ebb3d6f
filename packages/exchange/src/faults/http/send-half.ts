import type { FastifyReply } from "fastify";

/** Sends the headers of the whole answer and the first half of its body, then closes the connection. Nothing else may be sent after. */
export function sendHalf(reply: FastifyReply, body: string): void {
  const bytes = Buffer.from(body);
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(reply.statusCode, { "content-length": bytes.length });
  raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => raw.destroy());
}
