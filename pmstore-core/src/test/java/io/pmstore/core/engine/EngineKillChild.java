package io.pmstore.core.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The process that the test kills. Arguments: the class of the test, which opens the engine; the
 * directory; the workload.
 */
final class EngineKillChild {
  /** The workload of transactions; another one commits write sets. */
  static final String HEAP = "heap";

  static final String WRITE_SETS = "write sets";

  private EngineKillChild() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName(args[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    EngineKillTest test = (EngineKillTest) constructor.newInstance();
    Engine engine = test.open(Path.of(args[1]));
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    if (args[2].equals(HEAP)) {
      HeapKillWorkload workload = new HeapKillWorkload(engine);
      start(HeapKillWorkload.THREADS, thread -> workload.run(thread, out));
    } else {
      KillWorkload workload = new KillWorkload(engine);
      workload.prepare();
      start(KillWorkload.THREADS, thread -> workload.run(thread, out));
    }
  }

  private static void start(int threads, IntConsumer body) {
    IntStream.range(0, threads)
        .forEach(
            t ->
                thread(t)
                    .start(
                        () -> {
                          try {
                            body.accept(t);
                          } catch (Throwable e) {
                            e.printStackTrace();
                            Runtime.getRuntime().halt(2);
                          }
                        }));
  }

  /** Virtual threads too: their commits may go another way. */
  private static Thread.Builder thread(int number) {
    return number % 3 == 2 ? Thread.ofVirtual() : Thread.ofPlatform();
  }
}
