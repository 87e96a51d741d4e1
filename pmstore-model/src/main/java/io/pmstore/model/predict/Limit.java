package io.pmstore.model.predict;

/** What takes most of the time of an operation. */
public enum Limit {
  PROCESSOR,
  /** Waiting for lines of the memory. */
  LATENCY,
  /** Moving lines and records. */
  BANDWIDTH,
  /** Making records durable. */
  BARRIER
}
