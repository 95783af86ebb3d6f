import type { Socket } from "node:net";
import { seededRandom } from "../../../../../scripts/vitest/seed.ts";
import type { Weather } from "./weather.ts";

const random = seededRandom();

/** Time at which the link is free again in this direction, for all of its connections (performance.now()). */
export type Lane = { freeAt: number };

type Waiting = { readonly due: number; readonly bytes: Buffer };

const MAX_WAITING_BYTES = 262_144;
/** A throttled link delivers pieces of a packet's size, not a whole buffer after a long silence. */
const PIECE_BYTES = 1460;

/** Forwards data from one socket to the other, in order, with the delay and rate of the current weather. */
export class OneWay {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #lane: Lane;
  readonly #weather: () => Weather;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #lastDue = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(from: Socket, to: Socket, lane: Lane, weather: () => Weather) {
    [this.#from, this.#to, this.#lane, this.#weather] = [from, to, lane, weather];
    from.on("data", (bytes: Buffer) => this.#take(bytes));
    from.on("end", () => {
      this.#hasEnded = true;
      this.#pass();
    });
    to.on("drain", () => this.#pass());
  }

  /** Called when the weather has changed. */
  look(): void {
    this.#pass();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
    this.#bytes = 0;
  }

  #take(bytes: Buffer): void {
    const { delayMs = 0, jitterMs = 0, bytesPerSecond } = this.#weather();
    const lateMs = delayMs / 2 + ((random() * 2 - 1) * jitterMs) / 2;
    const piece = bytesPerSecond === undefined ? bytes.length : PIECE_BYTES;
    for (let from = 0; from < bytes.length; from += piece) {
      const part = bytes.subarray(from, from + piece);
      const sent = bytesPerSecond === undefined ? performance.now() : this.#send(part.length, bytesPerSecond);
      // Keeps the order of sending despite the jitter.
      this.#lastDue = Math.max(this.#lastDue, sent + Math.max(0, lateMs));
      this.#waiting.push({ due: this.#lastDue, bytes: part });
      this.#bytes += part.length;
    }
    this.#pass();
  }

  /** Returns when these bytes have been sent, after those of other connections. */
  #send(bytes: number, perSecond: number): number {
    this.#lane.freeAt = Math.max(this.#lane.freeAt, performance.now()) + (bytes / perSecond) * 1000;
    return this.#lane.freeAt;
  }

  #pass(): void {
    clearTimeout(this.#timer);
    const isSilent = this.#weather().isSilent === true;
    if (!isSilent) this.#deliver();
    if (isSilent || this.#bytes > MAX_WAITING_BYTES) this.#from.pause();
    else this.#from.resume();
    if (this.#hasEnded && this.#waiting.length === 0 && !this.#to.writableEnded && !isSilent) this.#to.end();
  }

  #deliver(): void {
    for (let first = this.#waiting[0]; first && !this.#to.writableNeedDrain; first = this.#waiting[0]) {
      const wait = first.due - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#pass(), Math.ceil(wait));
        return;
      }
      this.#waiting.shift();
      this.#bytes -= first.bytes.length;
      this.#to.write(first.bytes);
    }
  }
}
