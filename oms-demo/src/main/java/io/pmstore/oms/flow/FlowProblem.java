package io.pmstore.oms.flow;

/**
 * A line of the input that is no usable message, and was skipped.
 *
 * @param line the number of the line, from 1
 * @param reason what was found and what was expected
 */
public record FlowProblem(long line, String reason) {
  @Override
  public String toString() {
    return "line " + line + ": " + reason;
  }
}
