import { HASH_KIND, mixHash, mixHex } from "../core/mix-hash.ts";
import type { Rng } from "../core/rng.ts";
import type { SocialSource } from "../social-contract.ts";
import { base32 } from "./record-ids.ts";

/** First halves of handles. */
const AUTHOR_WORDS: readonly string[] = [
  "reader",
  "quietfox",
  "marginnotes",
  "oddsandends",
  "lakeside",
  "nightbus",
  "paperkite",
  "slowcoffee",
  "tallgrass",
  "zerosum",
  "verdigris",
  "mailbox",
];

/** Invented news sites. */
const PAPERS: readonly string[] = [
  "northerncourier.example",
  "porteillistimes.example",
  "harbordispatch.example",
  "continentalwire.example",
  "dailyledger.example",
  "marketmorning.example",
  "diarioestoven.example",
  "bolmarkerzeitung.example",
  "thesportsline.example",
  "filmweekly.example",
  "techbriefing.example",
  "weatherdesk.example",
];

export interface Author {
  source: SocialSource;
  /** The `did` of its posts. */
  id: string;
  handle: string;
  /** Whether its account is gone. */
  isGone: boolean;
}

const COUNTS: Readonly<Record<SocialSource, number>> = { bluesky: 900, hackernews: 150, gdelt: PAPERS.length, x: 300 };
/** Share of Bluesky posts by the one prolific author. */
const LOUD_SHARE = 0.12;

/** Authors. Few write much and many little; a removed account is replaced by a new author. */
export class Authors {
  private readonly seed: number;
  private readonly slots: Record<SocialSource, Author[]>;
  private made = 0;

  constructor(seed: number) {
    this.seed = seed;
    const fill = (source: SocialSource): Author[] =>
      Array.from({ length: COUNTS[source] }, (_, place) => this.make(source, place));
    this.slots = { bluesky: fill("bluesky"), hackernews: fill("hackernews"), gdelt: fill("gdelt"), x: fill("x") };
  }

  /** Picks the author of a post. */
  writer(source: SocialSource, rng: Rng): Author {
    const slots = this.slots[source];
    const isLoud = source === "bluesky" && rng.chance(LOUD_SHARE);
    return slots[isLoud ? 0 : Math.floor(slots.length * rng.unit() ** 2)] as Author;
  }

  /** Picks the author of a reaction; all are equally likely. */
  reader(source: SocialSource, rng: Rng): Author {
    return rng.pick(this.slots[source]);
  }

  /** Removes a Bluesky account, never the prolific author's. Its replacement writes as much. */
  replace(rng: Rng): { gone: Author; come: Author } {
    const slots = this.slots.bluesky;
    const place = 1 + rng.below(slots.length - 1);
    const gone = slots[place] as Author;
    const come = this.make("bluesky", place);
    gone.isGone = true;
    slots[place] = come;
    return { gone, come };
  }

  private make(source: SocialSource, place: number): Author {
    const number = this.made;
    this.made += 1;
    const word = `${AUTHOR_WORDS[number % AUTHOR_WORDS.length]}${number}`;
    const bytes = new Uint8Array(15);
    mixHash(bytes.subarray(0, 12), 0, this.seed, HASH_KIND.post, number, 12);
    mixHash(bytes.subarray(12, 15), 0, this.seed, HASH_KIND.post, number + 0x1000_0000, 3);
    const isOf = { source, isGone: false };
    if (source === "bluesky") return { ...isOf, id: `did:plc:${base32(bytes)}`, handle: `${word}.bsky.social` };
    if (source === "hackernews") return { ...isOf, id: word, handle: word };
    if (source === "gdelt") return { ...isOf, id: PAPERS[place] as string, handle: PAPERS[place] as string };
    const id = BigInt(mixHex(this.seed, HASH_KIND.post, number, 7)).toString();
    return { ...isOf, id, handle: word };
  }
}
