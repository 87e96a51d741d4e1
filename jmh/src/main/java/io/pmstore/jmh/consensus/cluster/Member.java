package io.pmstore.jmh.consensus.cluster;

import io.pmstore.PmStore;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * A member of a group, as a program in its process uses it. A member that leads carries calls out
 * itself; another one sends them to the leader. Thread-safe.
 */
public interface Member extends AutoCloseable {
  /** Returns true if it leads and is ready for calls. */
  boolean leads();

  /** Returns the index of the last entry that is applied here. */
  long applied();

  /** Has another member lead; this one leads. */
  void transferLeadership(String id) throws IOException;

  void set(String key, String value) throws IOException;

  /** Returns the value of a key; linearizable. */
  Optional<String> get(String key) throws IOException;

  /** Returns the value that a key has here, which may be old. */
  Optional<String> getHere(String key);

  /** Sets a key that has a value, or none. Returns true if it had. */
  boolean compareAndSet(String key, Optional<String> expected, String value) throws IOException;

  /** Sets many keys at once; this member leads. */
  void setAll(Map<String, String> entries) throws IOException;

  /** Returns the store, if it is one of pmstore. */
  Optional<PmStore> store();

  @Override
  void close() throws IOException;
}
