package io.pmstore.oms.cluster;

import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.kill.AckProtocol;

/**
 * What a node tells the process that started it, on standard output: acknowledgements, who leads,
 * and the answers to its commands. What was told is in the pipe whatever happens to the node next.
 */
final class NodeOutput {
  /** This node begins to drive; followed by the term. */
  static final String LEADS = "leads ";

  /** This node does not know whether a report is there; followed by the order and the report. */
  static final String UNKNOWN = "unknown ";

  static final String OPEN = "open";
  static final String READY = "ready";
  static final String DRIVING = "driving";
  static final String STOPPED = "stopped";
  static final String DIGEST = "digest ";
  static final String BACKED_UP = "backed-up";
  static final String CLOSED = "closed";

  private final AckProtocol out = new AckProtocol();

  void acknowledged(FlowEvent event) {
    out.acknowledged(event);
  }

  void unknown(FlowEvent event) {
    say(UNKNOWN + event.orderId() + " " + event.sequence());
  }

  void say(String line) {
    out.print(line);
  }
}
