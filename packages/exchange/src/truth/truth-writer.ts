import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Happening } from "../world/contract.ts";
import type { World } from "../world/world.ts";
import { GzipLines } from "./gzip-lines.ts";
import { happeningLines, TRUTH_FILES, type TruthFile } from "./happening-line.ts";

/**
 * Writes what is true of a served world to a folder, as .jsonl.gz: `fills` (a line a leg), `operations`, `lifecycle`, `book_changes`,
 * `kalshi_trades`, `kalshi_book_changes`, `posts` while they happen; `wallets` (skill, style, ring, bankroll, exact cash PnL), `income`,
 * `jumps`, `markets`, `kalshi_markets` and counts.json as they stand at each `flush`. Units as in world/contract.ts.
 * Give `listener` to createWorld so that it hears the history too.
 */
export class TruthWriter {
  readonly listener: (happening: Happening) => void;
  private readonly folder: string;
  private readonly files: Record<TruthFile, GzipLines>;

  /** Book changes before `booksFromMs` are left out: nobody was told of them. */
  constructor(folder: string, booksFromMs: number) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    const open = (file: TruthFile): GzipLines => new GzipLines(join(folder, `${file}.jsonl.gz`));
    this.files = Object.fromEntries(TRUTH_FILES.map((file) => [file, open(file)])) as Record<TruthFile, GzipLines>;
    this.listener = (happening) => {
      const isBook = happening.kind === "book" || happening.kind === "kalshi_book";
      if (isBook && happening.ms < booksFromMs) return;
      const { file, lines } = happeningLines(happening);
      for (const line of lines) this.files[file].write(line);
    };
  }

  /** Lines written so far, by file. */
  counts(): Record<TruthFile, number> {
    return Object.fromEntries(TRUTH_FILES.map((file) => [file, this.files[file].lines])) as Record<TruthFile, number>;
  }

  /** Puts everything on disk, and the latent state of the world as of now. */
  flush(world: World): void {
    for (const file of TRUTH_FILES) this.files[file].flush();
    this.rewrite("wallets", world.walletTruth());
    this.rewrite("income", world.income.all());
    this.rewrite("jumps", world.jumps());
    this.rewrite("markets", world.polymarket.markets.map(marketTruth));
    this.rewrite("kalshi_markets", world.kalshi.markets.map(kalshiTruth));
    const counts = { seed: world.seed, start_ms: world.start_ms, reached_ms: world.reached(), ...world.truth() };
    writeFileSync(join(this.folder, "counts.json"), `${JSON.stringify(counts, null, 2)}\n`);
  }

  private rewrite(name: string, lines: readonly object[]): void {
    const file = new GzipLines(join(this.folder, `${name}.jsonl.gz`));
    for (const line of lines) file.write(line);
    file.flush();
  }
}

function marketTruth(market: World["polymarket"]["markets"][number]): object {
  const { condition_id, id, slug, token_ids, created_ms, closed_ms, resolved_ms, payout_numerators, was_disputed } =
    market;
  const { volume_micro, neg_risk } = market;
  const event_id = market.event.id;
  const times = { created_ms, closed_ms, resolved_ms };
  return {
    condition_id,
    id,
    slug,
    event_id,
    token_ids,
    neg_risk,
    ...times,
    payout_numerators,
    was_disputed,
    volume_micro,
  };
}

function kalshiTruth(market: World["kalshi"]["markets"][number]): object {
  const { ticker, open_ms, close_ms, determined_ms, settled_ms, result, settlement_value_e4, volume_cc } = market;
  return { ticker, open_ms, close_ms, determined_ms, settled_ms, result, settlement_value_e4, volume_cc };
}
