import type { Rng } from "../core/rng.ts";
import type { Authors } from "./authors.ts";
import type { Board } from "./board.ts";

const HOUR = 3_600_000;

/** Bluesky accounts are created, removed and renamed. */
export class Accounts {
  private readonly board: Board;
  private readonly authors: Authors;
  private readonly rng: Rng;

  constructor(board: Board, authors: Authors, rng: Rng) {
    this.board = board;
    this.authors = authors;
    this.rng = rng.fork("accounts of posts");
  }

  start(at: number): void {
    this.rename(at);
    this.replace(at);
  }

  private rename(at: number): void {
    this.board.queue.push(at + Math.round(this.rng.wait(HOUR / 6)), (now) => {
      const author = this.authors.reader("bluesky", this.rng);
      author.handle = this.rng.chance(0.5)
        ? `${author.handle.split(".")[0]}.example`
        : `${author.id.slice(8, 16)}.bsky.social`;
      this.publishHandle(now, author);
      this.rename(now);
    });
  }

  private replace(at: number): void {
    this.board.queue.push(at + Math.round(this.rng.wait(3 * HOUR)), (now) => {
      const { gone, come } = this.authors.replace(this.rng);
      this.board.end(now, gone, this.rng.chance(0.7) ? "deleted" : "takendown");
      this.publishHandle(now, come);
      this.board.publish(now, { kind: "account", did: come.id, active: true, status: null });
      this.replace(now);
    });
  }

  private publishHandle(now: number, { id, handle }: { id: string; handle: string }): void {
    this.board.publish(now, { kind: "identity", did: id, handle });
  }
}
