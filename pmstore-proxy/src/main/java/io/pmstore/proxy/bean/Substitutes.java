package io.pmstore.proxy.bean;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Serializable;
import java.io.Writer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.reflect.AnnotatedElement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.Buffer;
import java.nio.channels.Channel;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Spliterator;
import java.util.TimeZone;
import java.util.Timer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.random.RandomGenerator;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * The substitutes for classes of the JDK that no store keeps, as messages and docs/classes.md give
 * them.
 */
public final class Substitutes {
  private static final String TRANSIENT =
      "mark the field transient, and have an @OnLoad method make it anew";
  private static final String LOCK = "mark the field transient; a transaction needs no locks";

  private static final List<String> LIBRARIES_OF_LANGUAGES =
      List.of("kotlin.", "kotlinx.", "scala.", "groovy.", "org.codehaus.groovy.", "clojure.");

  private static final Map<Class<?>, String> BY_TYPE = new LinkedHashMap<>();

  static {
    // Their changes in place would be lost.
    add("use a long or an int, and change it inside a transaction", AtomicLong.class);
    add("use a long or an int, and change it inside a transaction", AtomicInteger.class);
    add("use a long or an int, and change it inside a transaction", LongAdder.class);
    add("use a long or an int, and change it inside a transaction", LongAccumulator.class);
    add("use a double, and change it inside a transaction", DoubleAdder.class);
    add("use a double, and change it inside a transaction", DoubleAccumulator.class);
    add("use a boolean, and change it inside a transaction", AtomicBoolean.class);
    add("use a property of the type that it refers to", AtomicReference.class);
    add("use a property of the type that it refers to", AtomicStampedReference.class);
    add("use a property of the type that it refers to", AtomicMarkableReference.class);
    add("use a property of the type that it refers to", Reference.class);
    add("use a java.util.List", AtomicIntegerArray.class);
    add("use a java.util.List", AtomicLongArray.class);
    add("use a java.util.List", AtomicReferenceArray.class);
    add("use a long[], as toLongArray() makes it, or a Set<Integer>", BitSet.class);
    add("use a String", StringBuilder.class);
    add("use a String", StringBuffer.class);
    add("use a byte[]", Buffer.class);
    add("use a long for its seed", RandomGenerator.class);
    // What only this run of the program has.
    add(TRANSIENT, Thread.class);
    add(TRANSIENT, ThreadLocal.class);
    add(TRANSIENT, Timer.class);
    add(TRANSIENT, ClassLoader.class);
    add(TRANSIENT, Module.class);
    add(TRANSIENT, Executor.class);
    add(TRANSIENT, Future.class);
    add(TRANSIENT, Process.class);
    add(LOCK, Lock.class);
    add(LOCK, ReadWriteLock.class);
    add(LOCK, StampedLock.class);
    add(LOCK, Condition.class);
    add(LOCK, Semaphore.class);
    add(LOCK, CountDownLatch.class);
    add(LOCK, CyclicBarrier.class);
    add(TRANSIENT, InputStream.class);
    add(TRANSIENT, OutputStream.class);
    add(TRANSIENT, Reader.class);
    add(TRANSIENT, Writer.class);
    add(TRANSIENT, Channel.class);
    add(TRANSIENT, Socket.class);
    add(TRANSIENT, ServerSocket.class);
    add("use a List of the elements", Iterator.class);
    add("use a List of the elements", Spliterator.class);
    add("use a List of the elements", BaseStream.class);
    add("use new AbstractMap.SimpleImmutableEntry<>(entry), which never changes", Map.Entry.class);
    // Others.
    add("use a String for its message, or for its stack trace", Throwable.class);
    add("use a String for its name, and a Class", AnnotatedElement.class);
    add("use a String for its name, and a Class", MethodHandle.class);
    add("use a String for its name, and a Class", VarHandle.class);
    // A part of some values has no place in a store.
    add(
        "use one of the default file system, or a java.net.URI for it, as toUri() makes it",
        Path.class);
    add("use a java.net.URI", URL.class);
    add("use a String, as getHostAddress() makes it", InetAddress.class);
    add("use a String", Locale.class);
    add("use a String for the host and an int for the port", InetSocketAddress.class);
    add("use a String for the host and an int for the port", Proxy.class);
    add("use a java.util.Date or a java.time.Instant", Date.class);
    add("use a java.time.ZonedDateTime or an Instant", Calendar.class);
    add("use a java.time.ZoneId, as toZoneId() makes it", TimeZone.class);
  }

  private Substitutes() {}

  private static void add(String substitute, Class<?> type) {
    BY_TYPE.put(type, substitute);
  }

  /**
   * Returns what to do about a class or interface that no property can have, or whose values no
   * store keeps: the rest of a sentence, without its full stop.
   */
  public static String of(Class<?> type) {
    return of(type, "mark the field transient");
  }

  /** Does the same for the class of an element or a key. */
  public static String ofElement(Class<?> type) {
    String said = of(type, null);
    return switch (said) {
      case TRANSIENT -> "leave it out, since only this run of the program has it";
      case LOCK -> "leave it out; a transaction needs no locks";
      default -> said;
    };
  }

  private static String of(Class<?> type, @Nullable String other) {
    String known = ofJdk(type);
    String otherwise = other == null ? "" : "; or " + other;
    boolean isSerializable = Serializable.class.isAssignableFrom(type);
    String codec =
        "give the store a codec for it with PmStoreOptions.valueType"
            + (isSerializable ? ", such as ValueCodec.ofSerializable" : "");
    if (known != null) {
      boolean isKept = !known.equals(TRANSIENT) && !known.equals(LOCK);
      return isKept && isSerializable && !isOfJdk(type) ? known + ", or " + codec : known;
    }
    if (type == Object.class) {
      return "use a constant of an enum, or an object of a class annotated with @Persistent"
          + otherwise;
    }
    if (type.isHidden() || type.isSynthetic()) {
      return "write it as a constant of an enum, or as an object of a class annotated with"
          + " @Persistent, since no other run of the program could find it"
          + otherwise;
    }
    if (isOfJdk(type) || isOfLanguage(type) || ClassRules.superclassWithState(type) != null) {
      return "keep what it says in properties of other types"
          + (other == null ? ", or " + codec : ", " + codec + ", or " + other);
    }
    if (type.isAnonymousClass() || type.isLocalClass()) {
      return "declare the class at the top of a file or as a static nested class, and annotate it"
          + " with @Persistent"
          + otherwise;
    }
    return "annotate %s with @Persistent; if it is not yours, %s%s"
        .formatted(type.getTypeName(), codec, otherwise);
  }

  /**
   * Returns the substitute for a class of the JDK or for one that extends it, as the rest of a
   * sentence; null if there is no special advice.
   */
  static @Nullable String ofJdk(Class<?> type) {
    for (Map.Entry<Class<?>, String> entry : BY_TYPE.entrySet()) {
      if (entry.getKey().isAssignableFrom(type)) {
        return entry.getValue();
      }
    }
    return null;
  }

  /** Returns true for a class of the library that comes with a language of the JVM. */
  private static boolean isOfLanguage(Class<?> type) {
    return LIBRARIES_OF_LANGUAGES.stream().anyMatch(type.getName()::startsWith);
  }

  /** Returns true for a class of the JDK, which the program cannot annotate. */
  @SuppressWarnings("ReferenceEquality") // there is one platform class loader
  public static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /**
   * Returns the end of a remedy for a property that is declared with a class of collections: ""
   * unless the class could be a persistent one if it was enhanced.
   */
  public static String orEnhance(Class<?> type) {
    Class<?> k = type;
    while (k != null && !Enhancement.isOfElements(k)) {
      k = k.getSuperclass();
    }
    return k == null || k == type || type.isAnonymousClass()
        ? ""
        : ", or annotate %s with @Persistent and enhance it with pmstore-enhance"
            .formatted(type.getSimpleName());
  }
}
