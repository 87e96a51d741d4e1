package io.pmstore.proxy.bytecode;

/** Finds out whether the program is a native image, in which no class can be defined. */
public final class NativeImage {
  private NativeImage() {}

  /** Returns true in a native image; false in a JVM, that of an image's builder included. */
  public static boolean isRunning() {
    return "runtime".equals(System.getProperty("org.graalvm.nativeimage.imagecode"));
  }
}
