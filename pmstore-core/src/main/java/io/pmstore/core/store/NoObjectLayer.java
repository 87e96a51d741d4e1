package io.pmstore.core.store;

import io.pmstore.Upgrade;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.ObjectLayer;
import java.util.Comparator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The object layer of a heap that is opened to be verified: there are no Java objects. */
final class NoObjectLayer implements ObjectLayer {
  @Override
  public <T> T root(Class<T> type) {
    throw refused();
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    throw refused();
  }

  @Override
  public <T> T create(Class<T> type) {
    throw refused();
  }

  @Override
  public <T> T newCollection(Class<T> type, @Nullable Comparator<?> comparator) {
    throw refused();
  }

  @Override
  public Object persist(Object plain) {
    throw refused();
  }

  @Override
  public @Nullable Object read(HeapObject object, int offset, int property) {
    throw refused();
  }

  @Override
  public void write(HeapObject object, int offset, int property, @Nullable Object value) {
    throw refused();
  }

  @Override
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    throw refused();
  }

  @Override
  public Upgrade upgradeAll() {
    throw refused();
  }

  @Override
  public long upgrade(HeapObject object) {
    throw refused();
  }

  @Override
  public @Nullable Object held(long address) {
    return null;
  }

  @Override
  public void forEachHeld(LongConsumer visitor) {}

  @Override
  public void close() {}

  private static IllegalStateException refused() {
    return new IllegalStateException("a heap that is being verified has no Java objects");
  }
}
