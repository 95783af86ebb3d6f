/** Latent state hidden from all agents: the true probability of each question of an event. */
export interface Latent {
  /** Advances time to `at`; must not go back. */
  advance(at: number): void;
  /** Probability of outcome 0 of a question, within 0.0005..0.9995 while the event is open. */
  p(index: number): number;
  /** Time of the next jump, at which markets should check again. */
  wakeAt(): number;
  /** Draws the outcome at the end: whether outcome 0 is true, by question, from the final probabilities. */
  decide(): boolean[];
}
