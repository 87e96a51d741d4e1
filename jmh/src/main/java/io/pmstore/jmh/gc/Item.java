package io.pmstore.jmh.gc;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** What comes and goes: an object with a string out of line. */
@Persistent
public class Item {
  private long number;
  private @Nullable String text;
  private @Nullable Item previous;

  public long getNumber() {
    return number;
  }

  public void setNumber(long number) {
    this.number = number;
  }

  public @Nullable String getText() {
    return text;
  }

  public void setText(@Nullable String text) {
    this.text = text;
  }

  public @Nullable Item getPrevious() {
    return previous;
  }

  public void setPrevious(@Nullable Item previous) {
    this.previous = previous;
  }
}
