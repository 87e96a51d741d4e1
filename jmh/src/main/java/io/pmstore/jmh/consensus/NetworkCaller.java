package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Contender;
import io.pmstore.jmh.consensus.cluster.Member;
import io.pmstore.jmh.consensus.cluster.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Each member has a process; this one's follows, and is called. */
final class NetworkCaller implements Caller {
  private static final String OTHER = "n2";

  private final Processes processes;

  NetworkCaller(List<Contender> contenders, Path root, String medium, long regionBytes)
      throws IOException, InterruptedException {
    processes = new Processes(contenders, root, medium, regionBytes);
    for (Contender each : contenders) {
      processes.makeLeader(each, OTHER);
    }
  }

  @Override
  public void fill(Contender group, Keys keys) throws IOException, InterruptedException {
    processes.makeLeader(group, Processes.HERE);
    for (var part : keys.parts()) {
      member(group).setAll(part);
    }
    processes.makeLeader(group, OTHER);
  }

  @Override
  public Member member(Contender group) {
    return processes.here(group);
  }

  @Override
  public void close() throws IOException {
    processes.close();
  }
}
