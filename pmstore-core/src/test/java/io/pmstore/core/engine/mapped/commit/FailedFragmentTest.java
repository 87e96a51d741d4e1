package io.pmstore.core.engine.mapped.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.log.LogSegments;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A commit of several records that fails between them leaves a gap at which recovery ends. No
 * commit may be placed behind it, and acknowledged, before the engine has failed.
 */
class FailedFragmentTest {
  private static final int SEGMENT = 1 << 20;

  private final EngineState state = new EngineState(Path.of("store"));
  private int writes;

  private MediumFile file() {
    return (MediumFile)
        Proxy.newProxyInstance(
            MediumFile.class.getClassLoader(),
            new Class<?>[] {MediumFile.class},
            (proxy, method, args) -> {
              if (method.getName().equals("write") && ++writes == 2) {
                throw new IOException("no more");
              }
              return null;
            });
  }

  private CommitPath path() {
    LogSegments segments =
        new LogSegments(
            IntStream.range(0, 4)
                .mapToObj(
                    i -> new LogSegments.Segment(file(), MemorySegment.ofArray(new byte[SEGMENT])))
                .toList());
    return new CommitPath(
        state,
        new RedoLog(segments, 7, 1, 0, RedoLog.startOf(0, 1)),
        segments,
        false,
        SEGMENT,
        new Phase(null, null, new DirtySet(4096), null),
        size -> {});
  }

  @Test
  void noCommitComesBehindFragmentsWithoutALastRecord() {
    CommitPath path = path();
    WriteSet large = new WriteSet();
    large.put(0, new byte[SEGMENT], 0, SEGMENT);
    Placed failing = path.place(large, path.prepare(large));
    assertEquals(
        "no more", assertThrows(IOException.class, () -> path.append(failing)).getMessage());
    // The engine does not know of the failure yet.
    WriteSet small = new WriteSet();
    small.putLong(0, 1);
    assertThrows(StoreFailedException.class, () -> path.place(small, path.prepare(small)));
  }
}
