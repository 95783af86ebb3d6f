import type { EventPlan } from "./event-plan.ts";
import type { Latent } from "./latent.ts";
import type { Rng } from "./rng.ts";

/** Called with the question's index and its probability before and after a jump. */
export type JumpListener = (at: number, question: number, before: number, after: number) => void;

/** The part of a plan that beliefs need. */
export type BeliefPlan = Pick<
  EventPlan,
  "number" | "created" | "start" | "end" | "variance" | "variance_live" | "jumps" | "first"
>;

const DAY = 86_400_000;

/**
 * Beliefs about one or several exclusive questions as a Bayesian would hold them: logits diffuse with the drift that
 * makes every probability a martingale (more information only sharpens), plus dated jumps. One question: p =
 * 1/(1+e^−x); several: softmax.
 */
export class BeliefLatent implements Latent {
  private readonly plan: BeliefPlan;
  private readonly rng: Rng;
  private readonly x: number[];
  private readonly ps: number[];
  private readonly onJump: JumpListener;
  private at: number;
  private jumpAt: number;

  constructor(plan: BeliefPlan, rng: Rng, onJump: JumpListener, stream: string = "belief") {
    this.plan = plan;
    this.rng = rng.fork(`${stream} ${plan.number}`);
    this.onJump = onJump;
    this.x = [...plan.first];
    this.ps = plan.first.map(() => 0.5);
    this.at = plan.created;
    this.jumpAt = plan.created + this.wait();
    this.share();
  }

  advance(at: number): void {
    const until = Math.min(at, this.plan.end);
    while (this.at < until) {
      const bound = this.at < this.plan.start ? Math.min(until, this.plan.start) : until;
      const next = Math.min(bound, this.jumpAt);
      this.diffuse(next - this.at);
      this.at = next;
      if (this.jumpAt <= this.at) this.jump();
    }
  }

  p(index: number): number {
    return this.ps[index] ?? 0.5;
  }

  wakeAt(): number {
    return this.jumpAt;
  }

  decide(): boolean[] {
    let u = this.rng.unit();
    if (this.x.length === 1) return [u < this.p(0)];
    const answers = this.ps.map(() => false);
    let winner = this.ps.length - 1;
    for (let i = 0; i < this.ps.length; i += 1) {
      u -= this.p(i);
      if (u < 0) {
        winner = i;
        break;
      }
    }
    answers[winner] = true;
    return answers;
  }

  private wait(): number {
    return this.plan.jumps > 0
      ? Math.max(60_000, Math.round(this.rng.wait(DAY / this.plan.jumps)))
      : Number.POSITIVE_INFINITY;
  }

  private diffuse(span: number): void {
    const variance = ((this.at < this.plan.start ? this.plan.variance : this.plan.variance_live) * span) / DAY;
    const steps = Math.max(1, Math.ceil(variance / 0.1));
    const part = variance / steps;
    const root = Math.sqrt(part);
    for (let s = 0; s < steps; s += 1) {
      for (let i = 0; i < this.x.length; i += 1) {
        const pull = this.x.length === 1 ? this.p(i) - 0.5 : this.p(i);
        this.x[i] = (this.x[i] as number) + root * this.rng.normal() + part * pull;
      }
      this.share();
    }
  }

  private share(): void {
    if (this.x.length === 1) {
      const x = Math.max(-7.5, Math.min(7.5, this.x[0] as number));
      this.x[0] = x;
      this.ps[0] = 1 / (1 + Math.exp(-x));
      return;
    }
    const top = Math.max(...this.x);
    let sum = 0;
    for (let i = 0; i < this.x.length; i += 1) {
      this.x[i] = Math.max(-7.5, (this.x[i] as number) - top);
      sum += Math.exp(this.x[i] as number);
    }
    for (let i = 0; i < this.x.length; i += 1) this.ps[i] = Math.exp(this.x[i] as number) / sum;
  }

  /** Jumps up or down with odds that preserve the mean. */
  private jump(): void {
    const i = this.rng.below(this.x.length);
    const before = this.ps.slice();
    const size = this.rng.between(0.7, 2.2);
    const odds = Math.exp(-size);
    const p = this.p(i);
    const up = p / (p + (1 - p) * odds);
    const down = (p * odds) / (p * odds + (1 - p));
    this.x[i] = (this.x[i] as number) + (this.rng.chance((p - down) / (up - down)) ? size : -size);
    this.share();
    for (let k = 0; k < this.x.length; k += 1) {
      const from = before[k] as number;
      if (Math.abs(this.p(k) - from) >= 0.02) this.onJump(this.jumpAt, k, from, this.p(k));
    }
    this.jumpAt += this.wait();
  }
}
