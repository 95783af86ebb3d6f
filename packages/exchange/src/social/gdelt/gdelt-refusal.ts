/** GDELT refuses by a sentence with HTTP 200, as text/html. */
export class GdeltRefusal extends Error {
  readonly status: number;

  constructor(message: string, status = 200) {
    super(message);
    this.name = "GdeltRefusal";
    this.status = status;
  }
}
