package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The caller sees why an opening failed, whatever happens when the rest is closed. */
class FailedOpeningTest {
  @Test
  void whatClosingThrowsIsSuppressedByTheFirstFailure() {
    for (Throwable thrown :
        List.of(new IOException("close"), new StackOverflowError(), new OutOfMemoryError())) {
      IOException first = new IOException("open");
      FailedOpening.closeAfter(
          first,
          () -> {
            throw sneaky(thrown);
          });
      assertArrayEquals(new Throwable[] {thrown}, first.getSuppressed());
    }
  }

  /** An exception cannot suppress itself: that would be another one. */
  @Test
  void theFirstFailureMayBeThrownAgain() {
    IOException first = new IOException("open");
    FailedOpening.closeAfter(
        first,
        () -> {
          throw first;
        });
    assertArrayEquals(new Throwable[0], first.getSuppressed());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
