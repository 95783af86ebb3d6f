/** One frame of a recorded market websocket, as text to send. */
export interface RecordedMessage {
  source: "btc_eth_5m" | "fleet" | "signaldrift";
  /** Tokens that the frame is about: whoever subscribed to one of them gets it. */
  asset_ids: string[];
  frame: string;
}
