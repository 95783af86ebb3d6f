import type { WalletTruth } from "../world.ts";
import type { Purses } from "./purses.ts";
import type { Rng } from "./rng.ts";

export type Style = WalletTruth["style"];

/** The wallets and their hidden traits. Indexes are the wallet numbers used everywhere in the core. */
export interface Crowd {
  count: number;
  styles: Style[];
  skills: Float64Array;
  /** −1 = none. */
  rings: Int32Array;
  /** Micro USD. */
  bankrolls: Float64Array;
  makers: number[];
  informed: number[];
  noise: number[];
  farmers: number[];
  sybilRings: number[][];
  washRings: number[][];
}

function addRings(crowd: Crowd, from: number, to: number, size: number, style: "sybil" | "wash"): void {
  const rings = style === "sybil" ? crowd.sybilRings : crowd.washRings;
  for (let first = from; first < to; first += size) {
    const members: number[] = [];
    for (let w = first; w < Math.min(first + size, to); w += 1) {
      crowd.styles[w] = style;
      crowd.rings[w] = crowd.sybilRings.length + crowd.washRings.length;
      members.push(w);
    }
    if (members.length > 1) rings.push(members);
  }
}

/** Sets skill and bankroll by style, and puts the bankroll into the purse. */
function endow(crowd: Crowd, purses: Purses, rng: Rng, wallet: number): void {
  const style = crowd.styles[wallet];
  const skill =
    style === "informed" ? rng.between(0.55, 1) : style === "maker" ? rng.between(0.4, 0.7) : rng.between(0, 0.45);
  const size = style === "maker" ? 3_000_000 : style === "informed" ? 20_000 : style === "farmer" ? 1500 : 3000;
  const bankroll = Math.round(size * Math.exp(rng.normal() * (style === "maker" ? 0.4 : 1.1))) * 1_000_000;
  crowd.skills[wallet] = skill;
  crowd.bankrolls[wallet] = Math.max(100_000_000, bankroll);
  purses.deposit(wallet, crowd.bankrolls[wallet]);
}

/**
 * Creates `count` wallets: 2 % makers, 12 % informed, 8 % farmers, 4 % in sybil rings of 6, 2 % in wash rings of 3, the
 * rest noise. Every 5th noise wallet has medium skill, so that skill is a continuum and not two clusters.
 */
export function createCrowd(count: number, rng: Rng, purses: Purses): Crowd {
  const crowd: Crowd = {
    count,
    styles: Array.from<Style>({ length: count }).fill("noise"),
    skills: new Float64Array(count),
    rings: new Int32Array(count).fill(-1),
    bankrolls: new Float64Array(count),
    makers: [],
    informed: [],
    noise: [],
    farmers: [],
    sybilRings: [],
    washRings: [],
  };
  const makers = Math.max(4, Math.floor(count * 0.02));
  const informed = makers + Math.max(4, Math.floor(count * 0.12));
  const farmers = informed + Math.max(2, Math.floor(count * 0.08));
  const sybils = farmers + Math.max(6, Math.floor((count * 0.04) / 6) * 6);
  const washers = sybils + Math.max(3, Math.floor((count * 0.02) / 3) * 3);
  addRings(crowd, farmers, sybils, 6, "sybil");
  addRings(crowd, sybils, washers, 3, "wash");
  for (let w = 0; w < count; w += 1) {
    if (w < makers) crowd.styles[w] = "maker";
    else if (w < informed) crowd.styles[w] = "informed";
    else if (w < farmers) crowd.styles[w] = "farmer";
    endow(crowd, purses, rng, w);
    if (crowd.styles[w] === "noise" && w % 5 === 0) crowd.skills[w] = rng.between(0.3, 0.75);
    if (w < makers) crowd.makers.push(w);
    else if (w < informed) crowd.informed.push(w);
    else if (w < farmers) crowd.farmers.push(w);
    else if (w >= washers) crowd.noise.push(w);
  }
  return crowd;
}

/** Picks a trader; some trade far more often than others, by a power law over the pool. */
export function pickActive(pool: readonly number[], rng: Rng): number {
  const u = rng.unit();
  return pool[Math.floor(pool.length * u * u)] as number;
}
