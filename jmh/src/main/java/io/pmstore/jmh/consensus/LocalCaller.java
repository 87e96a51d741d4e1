package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Contender;
import io.pmstore.jmh.consensus.cluster.Group;
import io.pmstore.jmh.consensus.cluster.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All members are here, and the one that leads is called. */
final class LocalCaller implements Caller {
  private final Map<Contender, Group> groups = new EnumMap<>(Contender.class);
  private final Map<Contender, Member> leaders = new EnumMap<>(Contender.class);

  LocalCaller(List<Contender> contenders, Path root, String medium, long regionBytes)
      throws IOException, InterruptedException {
    try {
      for (Contender each : contenders) {
        Group group = new Group(each, root.resolve(each.name()), medium, regionBytes);
        groups.put(each, group);
        leaders.put(each, group.member(group.leader()));
      }
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  @Override
  public void fill(Contender group, Keys keys) throws IOException {
    for (var part : keys.parts()) {
      member(group).setAll(part);
    }
  }

  @Override
  public Member member(Contender group) {
    return Objects.requireNonNull(leaders.get(group));
  }

  @Override
  public void close() throws IOException {
    for (Group group : groups.values()) {
      group.close();
    }
  }
}
