import { connect } from "node:net";

/** Writes bytes to a port and returns everything received until the peer closes or `waitMs` pass in silence. */
export function rawRequest(port: number, bytes: string | Buffer, waitMs = 1500): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
}
