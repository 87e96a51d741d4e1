package io.pmstore.jmh.consensus.cluster;

import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.jmh.results.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Which member of which group.
 *
 * @param id its own
 * @param ports of all members, on 127.0.0.1
 * @param directory of this member
 * @param medium {@code file} or {@code pmem}
 * @param regionBytes the size of a region of versions
 */
public record MemberSettings(
    Contender contender,
    String id,
    Map<String, Integer> ports,
    Path directory,
    String medium,
    long regionBytes) {
  /** The address of all members. */
  public static final String HOST = "127.0.0.1";

  /** Opens the member; makes it at the first time. */
  public Member open() throws IOException {
    Files.createDirectories(directory);
    return contender == Contender.PMSTORE ? new PmStoreMember(this) : new RatisMember(this);
  }

  boolean isPmem() {
    return medium.equals(Subject.PMEM);
  }

  /** Returns a directory of the machine, on its medium. */
  Medium machineMedium() throws IOException {
    Path machine = Files.createDirectories(directory.resolve("machine"));
    return isPmem() ? new PmemMedium(machine) : new FileMedium(machine);
  }
}
