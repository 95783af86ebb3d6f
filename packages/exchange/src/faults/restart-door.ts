import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";

/** Closes the listener of a door and every connection, and listens on the same port again after `seconds`. False when it is down already. */
export function restartDoor(app: FastifyInstance, clients: Iterable<WebSocket>, seconds: number): boolean {
  const { server } = app;
  if (!server.listening) return false;
  const { address, port } = server.address() as AddressInfo;
  server.close();
  server.closeAllConnections();
  for (const client of clients) client.terminate();
  const timer = setTimeout(() => server.listen({ host: address, port }), seconds * 1000);
  server.once("faults-end", () => clearTimeout(timer));
  return true;
}
