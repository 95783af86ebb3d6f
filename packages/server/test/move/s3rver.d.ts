declare module "@20minutes/s3rver" {
  import type { Server } from "node:http";

  /** Declares only what is used here. */
  export default class S3rver {
    constructor(options: {
      readonly silent: boolean;
      readonly directory: string;
      readonly vhostBuckets: boolean;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    configureBuckets(): Promise<unknown>;
    listen(port: number, host: string): Promise<Server>;
  }
}
