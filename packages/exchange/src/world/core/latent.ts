/** What nobody in the world sees whole: the true probability of each question of an event. */
export interface Latent {
  /** Lets time pass up to `at`; may only go forward. */
  advance(at: number): void;
  /** Probability of outcome 0 of a question, within 0.0005..0.9995 while the event is open. */
  p(index: number): number;
  /** Moment of the next jump, at which markets should look again. */
  wakeAt(): number;
  /** Which answer comes out: outcome 0 true or not, by question; drawn from the probabilities at the end. */
  decide(): boolean[];
}
