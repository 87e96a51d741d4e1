package io.pmstore.jmh.consensus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.workload.TestDirectories;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state machines in a group of three servers. */
final class GroupTest {
  private static final long REGION = 8 << 20;

  @ParameterizedTest
  @EnumSource(names = {"LOG", "LIST", "TREE_10", "PMSTORE"})
  void aMemberThatWasAwayAndAGroupThatWasClosedHaveTheMap(Contender contender) throws Exception {
    try (TestDirectories directories = new TestDirectories()) {
      Path root = directories.directory(Subject.PMEM);
      try (Group group = new Group(contender, root, Subject.FILE, REGION)) {
        String leader = group.leader();
        Member member = group.member(leader);
        Map<String, String> many = new TreeMap<>();
        for (int i = 0; i < 500; i++) {
          many.put("key " + i, "first");
        }
        member.setAll(many);
        member.set("a", "1");
        assertEquals(Optional.of("1"), member.get("a"));
        assertFalse(member.compareAndSet("a", Optional.of("0"), "2"));
        assertFalse(member.compareAndSet("a", Optional.empty(), "2"));
        assertTrue(member.compareAndSet("a", Optional.of("1"), "2"));

        String away = Group.IDS.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
        group.close(away);
        for (int i = 0; i < 300; i++) {
          member.set("key " + i, "second");
        }
        group.open(away);
        group.awaitApplied(away, member.applied());
        assertEquals(Optional.of("second"), group.member(away).get("key 299")); // asks the leader
        member.transferLeadership(away);
        check(group.member(group.leader()));

        for (String id : Group.IDS) {
          group.close(id);
        }
        for (String id : Group.IDS) {
          group.open(id);
        }
        check(group.member(group.leader()));
      }
    }
  }

  private static void check(Member member) throws Exception {
    assertEquals(Optional.of("2"), member.get("a"));
    assertEquals(Optional.of("second"), member.get("key 0"));
    assertEquals(Optional.of("second"), member.get("key 299"));
    assertEquals(Optional.of("first"), member.get("key 300"));
    assertEquals(Optional.empty(), member.get("none"));
  }
}
