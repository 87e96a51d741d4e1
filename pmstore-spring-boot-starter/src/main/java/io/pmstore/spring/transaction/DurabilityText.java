package io.pmstore.spring.transaction;

import io.pmstore.Durability;
import org.springframework.boot.convert.DurationStyle;

/** Parses durabilities as properties and annotations write them. */
public final class DurabilityText {
  private DurabilityText() {}

  /**
   * Returns the durability of a text.
   *
   * @param text {@code sync}, or a duration from 1 ms to 1 hour in the syntax of Spring Boot, such
   *     as {@code 100ms}
   * @return the durability
   * @throws IllegalArgumentException if the text is neither
   */
  public static Durability parse(String text) {
    if (text.strip().equalsIgnoreCase("sync")) {
      return Durability.SYNC;
    }
    try {
      return Durability.relaxed(DurationStyle.detectAndParse(text.strip()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a durability is \"sync\", or for relaxed durability a bound from 1ms to 1h, such as"
              + " \"100ms\"; not \"%s\"".formatted(text),
          e);
    }
  }
}
