package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Member;
import io.pmstore.jmh.workload.Worker;
import java.io.IOException;
import java.util.SplittableRandom;

/** Sets keys at random. */
final class Setter implements Worker {
  private final Member member;
  private final Keys keys;
  private final SplittableRandom random;
  private String key = "";
  private String value = "";

  Setter(Member member, Keys keys, SplittableRandom random) {
    this.member = member;
    this.keys = keys;
    this.random = random;
  }

  @Override
  public int prepare() {
    key = keys.key(random.nextInt(keys.count()));
    value = keys.key(random.nextInt(keys.count()));
    return 0;
  }

  @Override
  public void perform() throws IOException {
    member.set(key, value);
  }
}
