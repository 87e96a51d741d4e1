package io.pmstore.oms.targets;

import io.pmstore.oms.domain.OrderSnapshot;

/** Is given everything a store contains. */
public interface ContentVisitor {
  /** An order with all its reports. */
  void order(OrderSnapshot order);

  /**
   * Something that belongs to no order.
   *
   * @param description what it is and why it is out of place
   */
  void stray(String description);
}
