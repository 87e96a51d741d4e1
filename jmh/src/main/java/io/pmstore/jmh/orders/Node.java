package io.pmstore.jmh.orders;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** An element of a linked list. */
@Persistent
public class Node {
  private long value;
  private @Nullable Node next;

  public long getValue() {
    return value;
  }

  public void setValue(long value) {
    this.value = value;
  }

  public @Nullable Node getNext() {
    return next;
  }

  public void setNext(@Nullable Node next) {
    this.next = next;
  }
}
