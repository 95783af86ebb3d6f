import { WebSocket } from "ws";

export interface Frame {
  type: string;
  id?: number;
  sid?: number;
  seq?: number;
  // The tests read messages of every shape.
  msg: Record<string, unknown>;
}

/** A websocket client that records its frames and can wait for more. */
export class SocketClient {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  #wake: (() => void) | undefined;

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, { headers });
    this.socket.on("message", (data) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      this.#wake?.();
    });
  }

  async open(): Promise<this> {
    await new Promise((resolve, reject) => {
      this.socket.once("open", resolve).once("error", reject);
    });
    return this;
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** Waits until there are at least `count` frames. */
  async until(count: number): Promise<Frame[]> {
    const deadline = Date.now() + 60_000;
    while (this.frames.length < count) {
      if (Date.now() > deadline) throw new Error(`only ${this.frames.length} of ${count} frames`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 100);
      });
    }
    return this.frames;
  }

  close(): void {
    this.socket.terminate();
  }
}
