import type { AssetPath } from "./asset-path.ts";
import type { Latent } from "./latent.ts";
import { normalCdf } from "./normal-cdf.ts";

/**
 * "Will the price at the end be at least that at the start of the window?", resolved by the world's own asset price.
 */
export class UpdownLatent implements Latent {
  private readonly path: AssetPath;
  private readonly start: number;
  private readonly end: number;
  private at: number;
  private first: number | null = null;
  private log = 0;

  constructor(path: AssetPath, created: number, start: number, end: number) {
    this.path = path;
    this.start = start;
    this.end = end;
    this.at = created;
  }

  advance(at: number): void {
    const now = Math.min(at, this.end);
    this.log = this.path.logAt(now);
    if (now >= this.start && this.first === null) this.first = this.log;
    this.at = now;
  }

  p(): number {
    if (this.first === null) return 0.5;
    const left = Math.max(this.end - this.at, 1000);
    const z = (this.log - this.first) / (this.path.sigma * Math.sqrt(left));
    return Math.min(0.9995, Math.max(0.0005, normalCdf(z)));
  }

  wakeAt(): number {
    return Number.POSITIVE_INFINITY;
  }

  decide(): boolean[] {
    return [this.log >= (this.first ?? this.log)];
  }
}
