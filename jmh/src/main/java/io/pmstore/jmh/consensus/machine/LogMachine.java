package io.pmstore.jmh.consensus.machine;

import io.pmstore.jmh.consensus.versions.Change;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The thesis' baseline: whole entries in the log, the map in memory, and snapshots of all of it in
 * a file.
 */
public final class LogMachine extends MapMachine {
  private static final String FILE = "snapshot";

  private final Path directory;
  private final Map<String, byte[]> map = new ConcurrentHashMap<>();
  private volatile @Nullable TermIndex durable;

  /**
   * Creates the machine.
   *
   * @param directory of the snapshot; exists
   */
  public LogMachine(Path directory) {
    this.directory = directory;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    load();
    super.initialize(server, group, storage);
  }

  @Override
  boolean apply(LogEntryProto entry) {
    List<Change> changes = MapRequest.changes(entry.getStateMachineLogEntry().getLogData());
    boolean done = true;
    for (Change change : changes) {
      if (!change.conditional() || Arrays.equals(change.expected(), map.get(change.key()))) {
        map.put(change.key(), change.value());
      } else {
        done = false;
      }
    }
    return done;
  }

  @Override
  Optional<ByteString> value(String key) {
    return Optional.ofNullable(map.get(key)).map(UnsafeByteOperations::unsafeWrap);
  }

  // ---- snapshots

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    TermIndex latest = durable;
    return latest == null ? null : new Durable(latest);
  }

  /** A state of which Ratis copies no files. */
  record Durable(TermIndex at) implements SnapshotInfo {
    @Override
    public TermIndex getTermIndex() {
      return at;
    }

    @Override
    public List<FileInfo> getFiles() {
      return List.of();
    }
  }

  @Override
  public long takeSnapshot() throws IOException {
    TermIndex at = getLastAppliedTermIndex();
    Path made = directory.resolve(FILE + ".new");
    try (FileChannel file =
        FileChannel.open(
            made,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file), 1 << 16));
      out.writeLong(at.getTerm());
      out.writeLong(at.getIndex());
      out.writeInt(map.size());
      for (Map.Entry<String, byte[]> each : map.entrySet()) {
        out.writeUTF(each.getKey());
        out.writeInt(each.getValue().length);
        out.write(each.getValue());
      }
      out.flush();
      file.force(true);
    }
    Files.move(made, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
    durable = at;
    return at.getIndex();
  }

  private void load() throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return;
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      TermIndex at = TermIndex.valueOf(in.readLong(), in.readLong());
      for (int i = in.readInt(); i > 0; i--) {
        map.put(in.readUTF(), in.readNBytes(in.readInt()));
      }
      durable = at;
      setLastAppliedTermIndex(at);
    }
  }
}
