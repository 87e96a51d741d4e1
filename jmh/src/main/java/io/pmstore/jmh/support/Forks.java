package io.pmstore.jmh.support;

/** Options of the JVMs that JMH forks: the manifest of the jar does not reach them. */
public final class Forks {
  /** Lets pmstore and LLPL call native code. */
  public static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** LLPL and JMH use what warns otherwise. */
  public static final String UNSAFE_ACCESS = "--sun-misc-unsafe-memory-access=allow";

  private Forks() {}
}
