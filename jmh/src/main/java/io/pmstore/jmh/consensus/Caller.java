package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Contender;
import io.pmstore.jmh.consensus.cluster.Member;
import java.io.IOException;

/** A program that calls the maps of some groups. */
interface Caller extends AutoCloseable {
  /** Fills the map of a group. */
  void fill(Contender group, Keys keys) throws IOException, InterruptedException;

  /** Returns the member of a group that the program calls. */
  Member member(Contender group);

  @Override
  void close() throws IOException;
}
