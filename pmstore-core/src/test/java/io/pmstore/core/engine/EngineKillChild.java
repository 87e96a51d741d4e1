package io.pmstore.core.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * The process that gets killed. Arguments: the class of the test, which says how to open the
 * engine; the directory.
 */
final class EngineKillChild {
  private EngineKillChild() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName(args[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    EngineKillTest test = (EngineKillTest) constructor.newInstance();
    Engine engine = test.open(Path.of(args[1]));
    KillWorkload workload = new KillWorkload(engine);
    workload.prepare();
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    IntStream.range(0, KillWorkload.THREADS)
        .forEach(
            t ->
                thread(t)
                    .start(
                        () -> {
                          try {
                            workload.run(t, out);
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
