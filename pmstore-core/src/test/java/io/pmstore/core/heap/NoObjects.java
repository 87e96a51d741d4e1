package io.pmstore.core.heap;

import io.pmstore.Upgrade;
import java.util.Comparator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** An object layer for tests that use the heap without Java objects. */
public class NoObjects implements ObjectLayer {
  @Override
  public <T> T root(Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T create(Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T newCollection(Class<T> type, @Nullable Comparator<?> comparator) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object persist(Object plain) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Object read(HeapObject object, int offset, int property) {
    return object.heap().getLong(object.address(), offset);
  }

  @Override
  public void write(HeapObject object, int offset, int property, @Nullable Object value) {
    object.heap().putLong(object.address(), offset, value == null ? 0 : (Long) value);
  }

  @Override
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Upgrade upgradeAll() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long upgrade(HeapObject object) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Object held(long address) {
    return null;
  }

  @Override
  public void forEachHeld(LongConsumer visitor) {}

  @Override
  public void close() {}
}
