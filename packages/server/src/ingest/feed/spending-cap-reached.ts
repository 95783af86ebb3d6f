/** The call was not made: what it may cost does not fit into what is left of the UTC day's cap. */
export class SpendingCapReached extends Error {
  constructor(host: string, setting: string, day: string) {
    super(`${host} was not asked: it could bill more than ${setting} allows on ${day} (UTC)`);
    this.name = "SpendingCapReached";
  }
}
