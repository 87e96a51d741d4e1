package io.pmstore.oms.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  /** An outgoing connection that got the port of a closed node would keep it from opening. */
  @Test
  void portsDifferAndAreNoneOfOutgoingConnections() throws Exception {
    List<String> ids = IntStream.range(0, 300).mapToObj(i -> "n" + i).toList();
    Map<String, Integer> ports = FreePorts.draw(ids);
    assertEquals(ids, List.copyOf(ports.keySet()));
    assertEquals(ids.size(), new HashSet<>(ports.values()).size());
    ports.forEach((id, port) -> assertTrue(port >= 10_000 && port < 32_000, () -> id + port));
  }
}
