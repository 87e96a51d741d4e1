package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No two nodes of tests get the same port: the second to open would fail. */
class FreePortsTest {
  private static final int DRAWS = 200; // of 1,000 ports, so that chance would repeat one

  @Test
  void noPortIsDrawnTwice() throws Exception {
    Set<Integer> drawn = new HashSet<>();
    for (int i = 0; i < DRAWS; i++) {
      int port = FreePorts.draw();
      assertTrue(drawn.add(port), () -> "drawn twice: " + port);
    }
  }
}
